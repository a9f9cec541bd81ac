import { letterOf1252 } from '#server/spreadsheet/reading/windows-1252.ts'

const bytesOf = new Map<string, number>()
for (let byte = 0x80; byte <= 0xff; byte++) {
  bytesOf.set(letterOf1252(byte), byte)
  // A program that takes Latin-1 for Windows-1252 leaves control characters.
  if (byte < 0xa0) bytesOf.set(String.fromCharCode(byte), byte)
}

const broken = /[ÂÃâï¤¥├&]/
const mistaken = /[ÂÃ][\u0080-\u00bf\u0152-\u2122]|â[\u0080€]|ï¿½/
const utf8 = new TextDecoder('utf-8', { fatal: true })
// A file may have gone through the wrong encoding twice.
const mostTimes = 2
// ñ and Ñ of a DOS program, which Windows-1252 shows as ¤ and ¥.
const ofDos = /(?<=\p{L})[¤¥](?=\p{L})/gu
// Web pages write letters so: &ntilde; and &#241;
const ofWeb = /&(?:#(19[2-9]|2[0-4]\d|25[0-5])|([aeioun])(acute|tilde|uml));/gi
const marks: Readonly<Record<string, string>> = { acute: '\u0301', tilde: '\u0303', uml: '\u0308' }

export const mayBeBroken = (text: string) => broken.test(text)

/** "PeÃ±a" is Peña: UTF-8 that was read as Windows-1252. A text that can't be that stays as it is. */
export function repairedText(text: string): string {
  if (!mayBeBroken(text)) return text
  let repaired = text
  for (let time = 0; time < mostTimes && mistaken.test(repaired); time++) {
    const before = readAgain(repaired)
    if (before === null) break
    repaired = before
  }
  return repaired
    .replace(ofDos, (letter) => (letter === '¤' ? 'ñ' : 'Ñ'))
    .replace(/├▒|├æ/g, (letters) => (letters === '├▒' ? 'ñ' : 'Ñ'))
    .replace(ofWeb, (_whole, code = '', letter = '', mark = '') =>
      code === '' ? `${letter}${marks[mark]}`.normalize('NFC') : String.fromCharCode(Number(code)),
    )
}

function readAgain(text: string): string | null {
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.charCodeAt(0)
    const byte = code < 0x80 ? code : bytesOf.get(letter)
    if (byte === undefined) return null
    bytes.push(byte)
  }
  try {
    return utf8.decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}
