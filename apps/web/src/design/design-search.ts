/** Which designs of a project are listed, as the address has it. */
export interface DesignSearch {
  search?: string | undefined
  tag?: string | undefined
  /** `yes`: those that were deleted. */
  deleted?: string | undefined
}

/** The same as a list operation asks for it. */
export function wantedOf({ search, tag, deleted }: DesignSearch) {
  return {
    deleted: deleted === 'yes',
    ...(search === undefined ? {} : { search }),
    ...(tag === undefined ? {} : { tag }),
  }
}

/** Whether some are left out. */
export function isFiltered({ search, tag, deleted }: DesignSearch): boolean {
  return deleted === 'yes' || search !== undefined || tag !== undefined
}
