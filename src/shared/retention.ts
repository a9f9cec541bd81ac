/** The records whose time is over: archived longer ago than the settings keep them. */
export interface ExpiredRecords {
  /** How long a record is kept after it was archived. */
  years: number
  /** Records that were archived before this instant, ISO. */
  before: string
  count: number
}
