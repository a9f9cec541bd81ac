/** The types that people attach, as they call them. */
const words: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/^application\/pdf$/, 'PDF document'],
  [/wordprocessingml|msword|opendocument\.text/, 'Text document'],
  [/spreadsheet|ms-excel|^text\/csv$/, 'Spreadsheet'],
  [/presentation|ms-powerpoint/, 'Presentation'],
  [/^application\/(x-)?(zip|7z|rar|gzip|tar)/, 'Archive'],
  [/^image\//, 'Image'],
  [/^audio\//, 'Audio'],
  [/^video\//, 'Video'],
  [/^text\//, 'Text'],
]

/** What kind of file an attachment is: 'PDF document'. A type that few people know is given as it is. */
export function attachmentTypeText(type: string | null): string {
  if (type === null || type === '' || type === 'application/octet-stream') return 'File'
  return words.find(([pattern]) => pattern.test(type))?.[1] ?? type
}
