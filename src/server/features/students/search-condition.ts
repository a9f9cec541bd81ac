import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** What stands between two words: spaces, the comma of "Last, First" as the list prints it, a mail program's <>. */
const separators = /[\s,;<>]+/u
/** A word without a letter or digit is only signs. */
const comparable = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u
/** Three letters or digits in a row: what it takes for the trigram index to narrow a search down. */
const indexable = /[\p{L}\p{N}]{3}/u
/** The beginning of every reference, which says nothing about one. */
const referencePrefix = /(?<![\p{L}\p{N}])NSTP[\s-]*(?=[\p{L}\p{N}])/giu
/** The country before a phone number: after a plus always, without it only before a whole mobile number. */
const countryCode =
  /(?<![\p{L}\p{N}])(?:\(?\+\s*63|(?:00)?63(?=[\s()-]*0?9\d\d[\s-]*\d{3}[\s-]*\d{4}(?!\d)))[\s()-]*0?/gu

/**
 * Whether a record holds every word of a search, in any order, each in any of the fields that name a record. On the
 * columns of `student_search` (migration 0015): the function that made them comparable does it with the words, so
 * both sides always agree.
 */
export function searchCondition(search: string): RawBuilder<SqlBool> {
  const text = search.normalize('NFC').replace(referencePrefix, '').replace(countryCode, '0')
  const words = new Set(text.split(separators).filter((word) => comparable.test(word)))
  // Signs alone name nobody.
  return words.size === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.join([...words].map(holds), sql` and `)}`
}

function holds(word: string): RawBuilder<SqlBool> {
  const pattern = sql`'%' || searchable(${word}) || '%'`
  // Index: student_search_words. Without a trigram LIKE would read the whole of it and then every record: another
  // collation than the index's keeps such a word away from it.
  const isLike = indexable.test(word) ? sql`like ${pattern}` : sql`collate "C" like ${pattern}`
  const inText = sql<SqlBool>`search_text ${isLike}`
  const inCodes = sql<SqlBool>`search_codes ${isLike}`
  if (word.includes('@')) return inCodes
  return /\p{N}/u.test(word) ? sql<SqlBool>`(${inText} or ${inCodes})` : inText
}
