import { BackupFileError } from './format.ts'

/** Ten times the longest row there can be: an attachment of 10 MB as hexadecimal digits. */
const maxLineBytes = 256 * 1024 * 1024
const newline = 0x0a

/**
 * Cuts bytes into lines, those of a part at a time, without their line breaks.
 *
 * @throws BackupFileError when the last line has no end
 */
export async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  // A long line comes in many parts, which are put together only once.
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const part of source) {
    const lines: Buffer[] = []
    let from = 0
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, from)) {
      const rest = part.subarray(from, end)
      lines.push(begun.length === 0 ? rest : Buffer.concat([...begun, rest]))
      begun = []
      begunBytes = 0
      from = end + 1
    }
    if (from < part.length) begun.push(part.subarray(from))
    begunBytes += part.length - from
    if (begunBytes > maxLineBytes) throw new BackupFileError('The file is damaged: a line never ends.')
    if (lines.length > 0) yield lines
  }
  if (begun.length > 0) throw new BackupFileError('The file is cut short.')
}
