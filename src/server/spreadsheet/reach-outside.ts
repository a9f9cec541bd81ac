// Functions that ask a service, a program or a file as soon as they are calculated. A link by HYPERLINK needs a press.
const reaching = new Set([
  ...['WEBSERVICE', 'IMAGE', 'STOCKHISTORY', 'TRANSLATE', 'DETECTLANGUAGE', 'COPILOT', 'PY'],
  ...['RTD', 'DDE', 'CALL', 'REGISTER', 'REGISTER.ID', 'SQL.REQUEST', 'IMPORTTEXT', 'IMPORTCSV'],
  ...[
    'CUBEKPIMEMBER',
    'CUBEMEMBER',
    'CUBEMEMBERPROPERTY',
    'CUBERANKEDMEMBER',
    'CUBESET',
    'CUBESETCOUNT',
    'CUBEVALUE',
  ],
  // Functions of macro sheets, which are calculated in a defined name too.
  ...['EXEC', 'EXECUTE', 'INITIATE', 'POKE', 'REQUEST', 'FOPEN', 'FILES', 'DIRECTORY'],
  // Functions of Google Sheets.
  ...[
    'IMPORTDATA',
    'IMPORTFEED',
    'IMPORTHTML',
    'IMPORTRANGE',
    'IMPORTXML',
    'GOOGLEFINANCE',
    'GOOGLETRANSLATE',
  ],
])

export const otherFile = 'another file'

// Texts, names of sheets, and columns of tables, in which an apostrophe makes the next sign a plain one. Without an end, each
// reaches to where it can't go on, so that long ones are read once.
const quoted = /"(?:[^"]|"")*"?|'(?:[^']|'')*'?|\[(?:[^[\]']|'.)*\]?/gs
const isComplete = /^"(?:[^"]|"")*"$|^'(?:[^']|'')*'$|^\[.*\]$|^\[\s*$/s
// Excel's own marks of functions that are newer than the file format.
const marks = /^(?:_XLFN\.|_XLWS\.|_XLUDF\.|_XLETA\.)+/
const addIn = /^_XLL\.|^_XLDUDF/

/**
 * What a formula asks beyond its workbook when it is calculated: the name of a function, `DDE`, an add-in, or another file.
 * @param formula as a part of a workbook has it, escaped
 */
export function reachOf(formula: string): string | undefined {
  let isOfFile = false
  // Google's formulas are texts in a file of Excel, and formulas again where they came from.
  const ofGoogle = /__xludf\.dummyfunction/i.test(formula)
  const bare = (ofGoogle ? formula.replaceAll('"', ' ') : formula)
    .replaceAll('&#13;', ' ')
    .replaceAll(/&(?:amp|lt|gt);/g, '+')
    .replace(quoted, (text) => {
      // Excel couldn't read it either.
      if (!isComplete.test(text)) isOfFile = true
      if (text.startsWith('"')) return '""'
      // [0] is the workbook itself.
      if (text.startsWith('[')) return text === '[0]' ? '' : '[]'
      // No sheet has such signs in its name.
      if (/[[\]\\/]/.test(text)) isOfFile = true
      return "''"
    })
  if (bare.includes('|')) return 'DDE'
  for (const [, name = '', call] of bare.matchAll(/([\p{L}_][\p{L}\p{N}_.]*)(\s*\()?/gu)) {
    const own = name.toUpperCase()
    if (call === undefined && !own.startsWith('_XLETA.')) continue
    if (addIn.test(own)) return 'an add-in'
    const plain = own.replace(marks, '')
    if (reaching.has(plain)) return plain
  }
  return isOfFile || /\][^\s()+*/^=<>,;"'[\]-]*!/.test(bare) ? otherFile : undefined
}
