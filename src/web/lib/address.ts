import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  type ParserMap,
} from 'nuqs/server'

/**
 * A screen's state in its address. Invalid parameters are ignored, defaults are left out.
 * nuqs's adapter isn't used: React Router writes the history (decision 029).
 */
export function createAddress<Parsers extends ParserMap>(path: string, parsers: Parsers) {
  const read = createLoader(parsers)
  const write = createSerializer(parsers)
  return {
    // nuqs reads a text by `URL.canParse`, and nothing where a browser lacks it.
    read: (search: string): inferParserType<Parsers> => read(new URLSearchParams(search)),
    to: (values: Partial<inferParserType<Parsers>>): string => write(path, values),
  }
}

/** `rule` returns the value to use, or null for an invalid text. */
export function parseAsText(rule: (text: string) => string | null) {
  return createParser({ parse: rule, serialize: String }).withDefault('')
}

const controlCharacter = /\p{Cc}/u

export function parseAsSearch(maxLength: number) {
  return parseAsText((text) => (controlCharacter.test(text) ? null : text.trim().slice(0, maxLength)))
}

// Digits only: '1e3' is a number, but not of a page.
export function parseAsPage(maxPage: number) {
  return createParser({
    parse: (text) => (/^[1-9]\d*$/.test(text) ? Math.min(Number(text), maxPage) : null),
    serialize: String,
  }).withDefault(1)
}

/** null where it is missing or empty. */
export const parseAsId = createParser({ parse: (text) => text || null, serialize: String })
