// Node and browsers have it; this folder has the types of neither.
declare const crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> }

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
// Larger bytes are drawn again: otherwise the first letters would be more likely.
const fairBelow = 256 - (256 % alphabet.length)

/** 'h7mp-x3tr-9wqd-b4fz', about 79 random bits. */
export function generatePassword(): string {
  const group = () => letter() + letter() + letter() + letter()
  return [group(), group(), group(), group()].join('-')
}

function letter(): string {
  const [byte = fairBelow] = crypto.getRandomValues(new Uint8Array(1))
  return byte < fairBelow ? alphabet.charAt(byte % alphabet.length) : letter()
}
