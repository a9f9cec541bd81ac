import type { ColumnType } from 'kysely'

// `date` columns are 'YYYY-MM-DD' texts, not Dates.
export type Timestamp = ColumnType<Date, Date | undefined, Date>

// A column that is null unless a value is given.
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

// bigint: pg returns text.
export type BigNumber = ColumnType<string, number | undefined, number>
