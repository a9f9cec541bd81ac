import { xmlEscape } from '#server/xml-escape.ts'

// What XML 1.0 can't hold (control characters but tab and line feed, two non-characters), and the carriage
// return, which XML readers turn into a line feed. Office Open XML writes them as _xHHHH_ (ECMA-376,
// ST_Xstring), so a text that looks like such a code gets its underscore escaped.
const unwritable = /[^\P{Cc}\t\n\u007f-\u009f]|[\ufffe\uffff]|_(?=x[\dA-Fa-f]{4}_)/gu
/** Half of a surrogate pair is no character: it would make the whole file unreadable. */
const loneSurrogate = /[\ud800-\udfff]/gu

/** A text as it may stand in a cell: every character survives, also those that XML has no place for. */
export function cellText(text: string): string {
  return xmlEscape(text.replace(loneSurrogate, '\ufffd').replace(unwritable, escapeCode))
}

function escapeCode(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}
