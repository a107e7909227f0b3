import type { SearchHit, SearchStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { nothing, queryRows, sql } from '../sql.ts'

// chr(1114111) is the last character there is: what begins with a word lies before the word with it.

/** More words than a person would type; each is a walk through the index. */
const mostWords = 12

/** Ids begin with some letters and `_`; the rest grows with time. */
const age = sql`split_part(document_id, '_', 2)`

/**
 * Each word of the query is a range of words in the index. A word that is matched whole counts twice, one in a name
 * three times as much as one elsewhere. All words must be there; agents also ask whole sentences, of which two words do
 * when nothing has all. Only ranges: conditions that could leak do not use an index under row-level
 * security (see the migration).
 */
export function searchStore(database: Database): SearchStore {
  return {
    search: (caller, query, page, filter = {}) =>
      database.asCallerSql(caller, (client) =>
        queryRows<SearchHit>(
          client,
          sql`WITH asked AS MATERIALIZED (
              SELECT word, word || chr(1114111) AS beyond FROM unnest(flamegate_word_parts(${query})) AS word
              LIMIT ${mostWords}
            ), found AS (
              SELECT search_words.workspace_id, search_words.document_id, asked.word,
                max(search_words.weight * CASE WHEN search_words.word = asked.word THEN 2 ELSE 1 END) AS score
              FROM asked JOIN search_words
                ON search_words.word >= asked.word AND search_words.word < asked.beyond
                ${filter.projectId === undefined ? nothing : sql`AND search_words.project_id = ${filter.projectId}`}
              GROUP BY search_words.workspace_id, search_words.document_id, asked.word
            ), scored AS (
              SELECT workspace_id, document_id, sum(score)::integer AS score, count(*) AS words FROM found
              GROUP BY workspace_id, document_id
            ), needed AS (
              SELECT CASE WHEN total > 2 AND (SELECT max(words) FROM scored) < total THEN 2 ELSE total END AS words
              FROM (SELECT count(*) AS total FROM asked)
            ), page AS (
              SELECT scored.* FROM scored JOIN needed ON scored.words >= needed.words
              ${page.after === undefined ? nothing : sql`WHERE (score, ${age}) < (${page.after.score}::integer, split_part(${page.after.id}, '_', 2))`}
              ORDER BY score DESC, ${age} DESC LIMIT ${page.limit + 1}
            )
            SELECT document.id, document.kind, document.project_id AS "projectId", projects.name AS "projectName",
              document.title, document.snippet, page.score
            FROM page
            JOIN search_documents AS document
              ON document.workspace_id = page.workspace_id AND document.id = page.document_id
            JOIN projects ON projects.workspace_id = document.workspace_id AND projects.id = document.project_id
            ORDER BY page.score DESC, ${age} DESC`,
        ),
      ),
  }
}
