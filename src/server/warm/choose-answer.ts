import type { Encoding, HeaderList, KeptAnswer } from './kept-answer.ts'

interface Wishes {
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

interface ChosenAnswer {
  status: 200 | 304
  headers: HeaderList
  /** Null when the asker has it already. */
  body: Buffer | null
}

/** Which form of a kept answer somebody gets. */
export function chooseAnswer(kept: KeptAnswer, { acceptEncoding, ifNoneMatch }: Wishes): ChosenAnswer {
  if (ifNoneMatch !== undefined && isKnown(kept.etag, ifNoneMatch)) {
    return { status: 304, headers: kept.unchanged, body: null }
  }
  const { headers, bytes } = kept[encodingFor(acceptEncoding)]
  return { status: 200, headers, body: bytes }
}

function isKnown(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === etag) return true
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}

/** Browsers say the same each time, so what they said is read once. */
const known = new Map<string, Encoding>()
const mostKnown = 100

function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  const before = known.get(accepted)
  if (before !== undefined) return before
  const encoding = takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : 'identity'
  if (known.size < mostKnown) known.set(accepted, encoding)
  return encoding
}

/** Named and not refused by a quality of zero. */
function takes(accepted: string, encoding: string): boolean {
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';')
    if (name.trim().toLowerCase() !== encoding) continue
    return !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/i.test(parameter))
  }
  return false
}
