-- What a workspace keeps, and who is told of what happens in it, also where the caller sees only one of its projects: what counts against a
-- plan is that of all of them, and who is to hear of an alert hears of it whoever's call it opens with.
CREATE FUNCTION flamegate_kept_bytes(workspace text, kind text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  bytes bigint;
BEGIN
  IF workspace = ANY (flamegate_ids('read')) THEN
    PERFORM set_config('flamegate.backs_up', 'on', true);
    bytes := CASE kind
      WHEN 'results' THEN
        (SELECT coalesce(sum(chunk_bytes), 0) FROM bench_series WHERE workspace_id = workspace)
        + (SELECT coalesce(sum(length(tick)), 0) FROM live_ticks WHERE workspace_id = workspace)
      WHEN 'live_recordings' THEN (SELECT sum(size_bytes) FROM live_recordings WHERE workspace_id = workspace)
      WHEN 'mcp_reports' THEN (SELECT sum(size_bytes) FROM mcp_sessions WHERE workspace_id = workspace)
    END;
    PERFORM set_config('flamegate.backs_up', '', true);
  END IF;
  RETURN coalesce(bytes, 0);
END
$$;

CREATE FUNCTION flamegate_file_bytes(workspace text, purposes text[]) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  bytes bigint;
BEGIN
  IF workspace = ANY (flamegate_ids('read')) THEN
    PERFORM set_config('flamegate.backs_up', 'on', true);
    SELECT sum(size_bytes) INTO bytes FROM files WHERE workspace_id = workspace AND purpose = ANY (purposes);
    PERFORM set_config('flamegate.backs_up', '', true);
  END IF;
  RETURN coalesce(bytes, 0);
END
$$;

-- Of those who are told nothing but what it takes to put a message for them into the outbox.
CREATE FUNCTION flamegate_notified(workspace text, happened text[])
  RETURNS TABLE (id text, events text[], filter jsonb)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF workspace = ANY (flamegate_ids('write')) THEN
    PERFORM set_config('flamegate.backs_up', 'on', true);
    RETURN QUERY SELECT told.id, told.events, told.filter FROM notifications AS told
      WHERE told.workspace_id = workspace AND told.is_active AND told.events && happened;
    PERFORM set_config('flamegate.backs_up', '', true);
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_kept_bytes, flamegate_file_bytes, flamegate_notified FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_kept_bytes, flamegate_file_bytes, flamegate_notified TO flamegate_app;
