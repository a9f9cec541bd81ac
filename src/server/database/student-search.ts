import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Access } from '#server/lib/access.ts'
import { spellingsOf } from '#shared/students/person-names.ts'
import { readReference } from '#shared/students/reference.ts'

const separators = /[\s,;<>]+/u
const comparable = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}\p{Emoji_Presentation}]/u
// The trigram index needs three letters or digits in a row.
const indexable = /[\p{L}\p{N}]{3}/u
const referencePrefix = /(?<![\p{L}\p{N}])NSTP[\s-]*(?=[\p{L}\p{N}])/giu
const countryCode =
  /(?<![\p{L}\p{N}])(?:\(?\+\s*63|(?:00)?63(?=[\s()-]*0?9\d\d[\s-]*\d{3}[\s-]*\d{4}(?!\d)))[\s()-]*0?/gu

/** The words of a search, each in the spellings that a name may have it in: any of them is one. */
export function searchedWords(search: string): string[][] {
  const text = search.normalize('NFC').replace(referencePrefix, '').replace(countryCode, '0')
  const words = new Set(text.split(separators).filter((word) => comparable.test(word)))
  return [...words].map(spellingsOf)
}

/**
 * The condition on rows of `student_search`. Both sides use the same normalising function (migration 0004). The reference
 * of a record that was merged into another one finds that one. Indexes: student_search_words, former_references_pkey.
 */
export function searchCondition(search: string, access: Access): RawBuilder<SqlBool> {
  const hasWords = containsEach(searchedWords(search), (word) => containsWord(word, access))
  const reference = readReference(search)
  if (reference === null) return hasWords
  // The ids are an array, so that both sides of the condition use their index.
  return sql<SqlBool>`(${hasWords} or id = any(array(
    select student_id from former_references where reference = ${reference})))`
}

/** Punctuation alone matches nothing. */
export function containsEach(
  words: readonly (readonly string[])[],
  contains: (word: string) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (words.length === 0) return sql<SqlBool>`false`
  const conditions = words.map((spellings) => sql`(${sql.join(spellings.map(contains), sql` or `)})`)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

// The last line of each text is of a class that others lack: the e-mail address, and the guardian's phone number.
const withoutLastLine = (text: 'search_text' | 'search_codes') =>
  sql`regexp_replace(${sql.raw(text)}, '\n[^\n]*$', '')`

function containsWord(word: string, access: Access): RawBuilder<SqlBool> {
  const pattern = sql`'%' || searchable(${word}) || '%'`
  // Index: student_search_words. Without a trigram LIKE would read the whole of it and then every record: another
  // collation than the index's prevents that for such a word.
  const isLike = indexable.test(word) ? sql`like ${pattern}` : sql`collate "C" like ${pattern}`
  const hasText = sql<SqlBool>`search_text ${isLike}`
  const hasCodes = sql<SqlBool>`search_codes ${isLike}`
  const inText = access.sees('contact')
    ? hasText
    : sql<SqlBool>`(${hasText} and ${withoutLastLine('search_text')} ${isLike})`
  const ofContact = access.sees('family')
    ? hasCodes
    : sql<SqlBool>`(${hasCodes} and ${withoutLastLine('search_codes')} ${isLike})`
  const inCodes = access.sees('contact') ? ofContact : sql<SqlBool>`false`
  if (word.includes('@')) return inCodes
  return /\p{N}/u.test(word) ? sql<SqlBool>`(${inText} or ${inCodes})` : inText
}
