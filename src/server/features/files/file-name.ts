/** The longest name, in characters; file systems take 255 bytes. */
const maxLength = 120

/** What a file is called whose own name says nothing. */
const nameless = 'attachment'

// Half of a surrogate pair is no character: the database takes it in no text.
const oddCharacters = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu

/**
 * The name that an uploaded file is saved under again: its last part without folders, control characters and
 * what turns the direction of writing, short enough, with its extension.
 */
export function cleanFileName(fileName: string): string {
  const last = fileName.replace(oddCharacters, '').split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[<>:"|?*]/g, '_').trim()
  if (name === '' || /^\.+$/.test(name)) return nameless
  if (name.length <= maxLength) return name
  const extension = /\.[^.]{1,15}$/.exec(name)?.[0] ?? ''
  // By characters, so that none is cut in half.
  return [...name].slice(0, maxLength - extension.length).join('') + extension
}

/** A declared media type, if it looks like one. */
export function cleanMediaType(mediaType: string): string {
  const [type = ''] = mediaType.split(';')
  const wanted = type.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,80}$/.test(wanted)
    ? wanted
    : 'application/octet-stream'
}
