import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Three letters or digits in a row: what it takes for the trigram index to narrow a search down. */
const indexable = /[\p{L}\p{N}]{3}/u

/** The signs that keyboards have for an apostrophe: phones type a curly one, sheets have the straight one. */
const apostrophes = /['’‘ʼ`´]/g

/**
 * Whether a student's last name, first name or course contains a text, in any case (spec §5). The term is
 * made comparable by the same functions as `search_text`, so both sides always agree.
 */
export function searchCondition(search: string): RawBuilder<SqlBool> {
  const term = search.normalize('NFC')
  if (indexable.test(term)) {
    // An apostrophe is found by any sign: the underscore stands for one character, and the rest of the name decides.
    const pattern = `%${escapeLike(term).replace(apostrophes, '_')}%`
    // Index: students_search.
    return sql<SqlBool>`search_text like lower(normalize(${pattern}::text, NFC))`
  }
  // Without a trigram LIKE would read the whole of students_search and then every record; strpos is left to
  // whichever of students_registration and students_name the order uses.
  return sql<SqlBool>`strpos(search_text, lower(normalize(${term}::text, NFC))) > 0`
}

/** A text that LIKE takes literally. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
