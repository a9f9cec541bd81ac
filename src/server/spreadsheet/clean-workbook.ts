import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Attributes, createXmlCopy } from './copy-xml.ts'
import { otherFile, reachOf } from './reach-outside.ts'
import { columnOf, maxColumns, scanPart } from './reading/workbook-rows.ts'
import { fileSentences, type Parts, unreadable, type XmlListener } from './reading/zip-parts.ts'
import { openZip } from './workbook.ts'

/** The row under the headings: those that are filled in look like it. */
export interface FirstRow {
  // Indexes of the workbook's own cell formats, by column.
  styles: (number | undefined)[]
  columnStyles: (number | undefined)[]
  height: string | undefined
}

export interface CleanedWorkbook {
  bytes: Buffer
  // What was removed, in words for the user.
  removed: string[]
  // The key is the sheet's part in the zip file.
  firstRows: ReadonlyMap<string, FirstRow>
}

// The most rows of a sheet. The form of CHED is laid out for 21,000.
const maxBaseRows = 50_000
// The most bytes of a sheet.
const maxSheet = 48 * 1024 * 1024
// The most characters of a sheet without its old rows, which is in memory while it is filled.
const maxForm = 8 * 1024 * 1024

const baseSentences = {
  notExcel: 'This is not an Excel workbook (.xlsx). Please open it in Excel and save it as one.',
  macros: 'This workbook has macros. Please save it in Excel as an Excel Workbook (.xlsx).',
  tooManyRows:
    'A sheet of this workbook has more than 50,000 rows. Please delete those below the headings and save it again.',
  tooLarge: 'This workbook is too large without its rows. Please remove what it doesn’t need.',
  headings:
    'The headings of this workbook reach over several rows. Please put them into one row in Excel, without merged cells.',
  has: (what: string) =>
    `This workbook has ${what}. Please remove them in Excel, save it, and upload it again.`,
} as const

/** Relationships that are removed with what only they need, by the last word of their type. */
const going = new Map([
  ['vbaProject', 'macros'],
  // Buttons that call macros.
  ['extensibility', 'macros'],
  ['externalLink', 'links'],
  ['calcChain', 'chain'],
  // The results that RTD and CUBE functions last got.
  ['volatileDependencies', 'values'],
])

/** What keeps copies of old rows or loads something, and can't be taken out without breaking the workbook. */
const refused = new Map([
  ['xlMacrosheet', 'macro sheets'],
  ['xlIntlMacrosheet', 'macro sheets'],
  ['dialogsheet', 'macro sheets'],
  ['pivotCacheDefinition', 'pivot tables'],
  ['connections', 'data connections'],
  ['queryTable', 'data connections'],
  ['comments', 'comments'],
  ['threadedComment', 'comments'],
  ['revisionHeaders', 'tracked changes'],
  ['chartEx', 'charts of a newer kind'],
  ['powerPivotData', 'data models'],
  ['control', 'ActiveX controls'],
  ['ctrlProp', 'form controls'],
  ['oleObject', 'embedded files'],
  ['package', 'embedded files'],
  ['webextension', 'add-ins'],
  ['webextensiontaskpanes', 'add-ins'],
  ['rdRichValueWebImage', 'pictures from the web'],
])

/**
 * A workbook as it is, without its macros, links to other files, formulas that ask a service, a program or a file,
 * calculation chain, and the rows below the headings of
 * its lists, with their texts, also those that formulas, filters and charts keep. Parts that have nothing of these stay
 * byte for byte.
 * @param forms of the sheets that are filled in: the row of the headings by the part, 0 where there is no list
 * @throws AppError `invalid` when something else must be removed first
 */
export async function cleanWorkbook(
  parts: Parts,
  forms: ReadonlyMap<string, number>,
): Promise<CleanedWorkbook> {
  await mustBeWorkbook(parts)
  const relations = await readRelations(parts)
  const gone = goneParts(relations)
  refuse(relations.filter(({ from }) => !gone.has(from)))
  const count = (what: string) => relations.filter(({ kind }) => going.get(kind) === what).length
  const [macros, links, chains] = [count('macros'), count('links'), count('chain')]
  const rewritten = new Map<string, string>()
  // Where its links are counted, formulas that follow them aren't.
  const asking = countAsking(links > 0)

  const sheets: CopiedSheet[] = []
  for (const { kind, target } of relations) {
    if (kind !== 'worksheet') continue
    const { xml, ...sheet } = await copySheet(parts, target, asking.note, forms.get(target))
    sheets.push(sheet)
    if (xml !== undefined) rewritten.set(target, xml)
  }
  for (const { target } of relations.filter(isView)) {
    rewritten.set(target, await copyView(parts, target))
  }
  const oldRows = sheets.reduce((sum, sheet) => sum + sheet.oldRows, 0)
  if (oldRows > 0) {
    const used = new Set(sheets.flatMap(({ strings }) => [...strings]))
    if (parts.has(stringsPart)) rewritten.set(stringsPart, await copyStrings(parts, used))
  }
  rewritten.set(workbookPart, await copyWorkbook(parts, asking.note))
  if (gone.size > 0) rewritten.set(typesPart, await copyTypes(parts, gone))
  const isGone = ({ from, id, target }: Relation) =>
    gone.has(target) || sheets.some((sheet) => sheet.part === from && sheet.links.includes(id))
  for (const path of new Set(relations.filter(isGone).map((relation) => relation.path))) {
    const own = relations.filter((relation) => relation.path === path && isGone(relation))
    rewritten.set(path, await copyRelations(parts, path, new Set(own.map(({ id }) => id))))
  }
  const removed = [
    macros > 0 ? 'macros' : '',
    counted(links, 'external link'),
    chains > 0 ? 'calculation chain' : '',
    asking.told(),
    counted(oldRows, 'old row'),
  ]
  return {
    bytes: await zipped(parts, gone, rewritten),
    removed: removed.filter((text) => text !== ''),
    firstRows: new Map(sheets.map(({ part, firstRow }) => [part, firstRow])),
  }
}

type NoteAsking = (what: string) => void

/** Counts formulas that ask a service, a program or a file, with what they ask. */
function countAsking(hasLinks: boolean): { note: NoteAsking; told: () => string } {
  const names = new Set<string>()
  let count = 0
  return {
    note(what) {
      if (hasLinks && what === otherFile) return
      names.add(what)
      count += 1
    },
    told: () => (count === 0 ? '' : `${counted(count, 'formula')} with ${[...names].toSorted().join(', ')}`),
  }
}

const isView = ({ kind }: Relation) => kind === 'table' || kind === 'chart'

const counted = (count: number, noun: string) =>
  count === 0 ? '' : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const workbookPart = 'xl/workbook.xml'
const stringsPart = 'xl/sharedStrings.xml'
const typesPart = '[Content_Types].xml'
const mainType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'

/** Reads the declared content type: Excel goes by that, not by the file's name. */
async function mustBeWorkbook(parts: Parts): Promise<void> {
  let type = ''
  await scanPart(parts, typesPart, {
    open(_name, { PartName = '', ContentType = '' }) {
      if (PartName.toLowerCase() === `/${workbookPart}`) type = ContentType
    },
  })
  if (/macroEnabled/i.test(type)) throw unreadable(baseSentences.macros)
  if (type !== mainType) throw unreadable(baseSentences.notExcel)
}

interface Relation {
  // The part that lists it, and the one that has it.
  path: string
  from: string
  id: string
  kind: string
  // The part that is the target; '' for a target outside the workbook.
  target: string
  isOutside: boolean
}

async function readRelations(parts: Parts): Promise<Relation[]> {
  const relations: Relation[] = []
  for (const path of parts.paths) {
    if (!path.endsWith('.rels')) continue
    const folder = posix.dirname(posix.dirname(path))
    const from = posix.join(folder, posix.basename(path, '.rels'))
    await scanPart(parts, path, {
      open(element, { Id: id = '', Type = '', Target = '', TargetMode }) {
        if (element !== 'Relationship') return
        const isOutside = TargetMode === 'External'
        const target = isOutside ? '' : posix.resolve('/', folder, Target).slice(1)
        relations.push({ path, from, id, kind: Type.split('/').at(-1) ?? '', target, isOutside })
      },
    })
  }
  return relations
}

function goneParts(relations: readonly Relation[]): ReadonlySet<string> {
  const heads = relations.filter(({ kind }) => going.has(kind)).map(({ target }) => target)
  const own = relations.filter(({ from }) => heads.includes(from))
  return new Set([...heads, ...own.flatMap(({ path, target }) => [path, target])].filter(Boolean))
}

function refuse(relations: readonly Relation[]): void {
  for (const { kind, isOutside } of relations) {
    const what = refused.get(kind) ?? (isOutside && kind !== 'hyperlink' ? 'links to files outside' : '')
    if (what !== '') throw unreadable(baseSentences.has(what))
  }
}

interface CopiedSheet {
  part: string
  firstRow: FirstRow
  oldRows: number
  // Indexes of the shared texts that it still needs.
  strings: ReadonlySet<number>
  // The ids of relationships of links in its old rows.
  links: readonly string[]
}

/** @param form of a sheet that is filled in: the row of the headings, 0 for none. @returns its XML where that has changed */
async function copySheet(
  parts: Parts,
  part: string,
  noteAsking: NoteAsking,
  form: number | undefined,
): Promise<CopiedSheet & { xml?: string }> {
  const isList = form !== undefined && form > 0
  const headRow = isList ? form : Number.POSITIVE_INFINITY
  const watched = watchSheet(headRow)
  const links: string[] = []
  // Maps the number of a shared formula to what it asks.
  const goneFormulas = new Map<string, string>()
  let formula: Attributes = {}
  let isOfCell = false
  let isCalculated = false
  let isChanged = isList
  /** Whether the cells that an element names are below the headings. */
  function isOld({ ref = '' }: Attributes): boolean {
    return Number(/\d{1,7}$/.exec(ref)?.[0] ?? 0) > headRow
  }
  function openFormula(attributes: Attributes, isIn: string | undefined) {
    formula = attributes
    isOfCell = isIn === 'c'
    isCalculated = isOfCell
    const { t = '', ref = '' } = attributes
    // The other cells of the range have only the results of the formula.
    if (isOfCell && ['array', 'dataTable'].includes(t) && ref.includes(':')) {
      throw unreadable(baseSentences.has('formulas that fill several cells'))
    }
  }
  /** Handles elements that only lists have. */
  function openInList(name: string, attributes: Attributes, isIn: string | undefined): Attributes | null {
    if (name === 'dimension' || isIn === 'autoFilter') return null
    if (isRow(name, isIn) && watched.row() > headRow) return null
    // The count of merged cells is left out, because it changes.
    if (name === 'mergeCells') return {}
    if (name === 'mergeCell') mustNotCross(attributes, headRow)
    if (!['mergeCell', 'hyperlink'].includes(name) || !isOld(attributes)) return attributes
    links.push(...Object.entries(attributes).flatMap(([key, id]) => (key.endsWith(':id') ? id : [])))
    return null
  }
  const copy = createXmlCopy({
    open(name, attributes, within) {
      if (name === 'c') isCalculated = false
      if (name === 'f') openFormula(attributes, within.at(-1))
      if (name === 'cfvo') mustNotAsk('formula', attributes.val ?? '')
      // Its result may be a text of an old row.
      if (name === 'v' && isCalculated) {
        isChanged = true
        return null
      }
      return isList ? openInList(name, attributes, within.at(-1)) : attributes
    },
    close(name, content) {
      if (name === 'mergeCells' || name === 'hyperlinks') return content.trim() !== ''
      if (name !== 'f' || !isOfCell) {
        mustNotAsk(name, content)
        return true
      }
      // The others of a shared formula only name it.
      const { si = '' } = formula
      const asked = content === '' ? goneFormulas.get(si) : reachOf(content)
      if (asked === undefined) return true
      noteAsking(asked)
      goneFormulas.set(si, asked)
      isChanged = true
      isCalculated = false
      return false
    },
  })
  const both: XmlListener = {
    open(...event) {
      watched.open(...event)
      copy.open(...event)
      if (form !== undefined && copy.length() > maxForm) throw unreadable(baseSentences.tooLarge)
    },
    close(name, written) {
      watched.close(name)
      copy.close?.(name, written)
    },
    text(...event) {
      watched.text(...event)
      copy.text?.(...event)
    },
  }
  await scanPart(parts, part, both, maxSheet)
  const xml = isChanged ? copy.xml() : undefined
  const { firstRow, strings } = watched
  return { part, firstRow, strings, oldRows: watched.oldRows(), links, ...(xml !== undefined && { xml }) }
}

// Form controls have such elements too.
const isRow = (name: string, isIn: string | undefined) => name === 'row' && isIn === 'sheetData'

function mustNotCross({ ref = '' }: Attributes, headRow: number): void {
  const [from = 0, to = from] = (ref.match(/\d{1,7}/g) ?? []).map(Number)
  if (from < to && from <= headRow && to >= headRow) throw unreadable(baseSentences.headings)
}

const otherFormulas = ['f', 'formula', 'formula1', 'formula2', 'calculatedColumnFormula', 'totalsRowFormula']

/** Refuses formulas that reach outside in validations, colours, charts and tables, which say nothing without their formula. */
function mustNotAsk(name: string, content: string): void {
  const asked = otherFormulas.includes(name) ? reachOf(content) : undefined
  if (asked === undefined) return
  const what = asked === otherFile ? 'links to other files' : asked
  throw unreadable(baseSentences.has(`charts or rules with ${what}`))
}

/** Sees all of a sheet, also what isn't copied. */
function watchSheet(headRow: number) {
  const firstRow: FirstRow = { styles: [], columnStyles: [], height: undefined }
  const strings = new Set<number>()
  let [rows, row, column, oldRows] = [0, 0, -1, 0]
  let isOld = false
  let isShared = false
  let text = ''

  function openRow({ r, ht }: Attributes) {
    rows += 1
    if (rows > maxBaseRows) throw unreadable(baseSentences.tooManyRows)
    row = Number(r ?? row + 1)
    column = -1
    isOld = false
    if (row === headRow + 1) firstRow.height = ht
  }

  function openCell({ r, s, t }: Attributes) {
    column = r === undefined ? column + 1 : columnOf(r)
    isShared = t === 's'
    if (row === headRow + 1 && column < maxColumns) firstRow.styles[column] = Number(s ?? 0)
  }

  function openColumn({ min, max, style }: Attributes) {
    if (style === undefined) return
    const last = Math.min(Number(max), maxColumns)
    for (let index = Number(min); index <= last; index++) firstRow.columnStyles[index - 1] = Number(style)
  }

  return {
    firstRow,
    strings,
    row: () => row,
    oldRows: () => oldRows,
    open(name: string, attributes: Attributes, within: readonly string[], written: string) {
      // The rows are filled in without a prefix, so `sheetData` must have none.
      if (name === 'sheetData' && written !== name) throw unreadable(fileSentences.damaged)
      if (isRow(name, within.at(-1))) openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (name === 'col') openColumn(attributes)
      else if ((name === 'v' || name === 't') && row > headRow && !isOld) {
        isOld = true
        oldRows += 1
      }
      if (name === 'v') text = ''
    },
    close(name: string) {
      if (name === 'v' && isShared && row <= headRow) strings.add(Number(text))
    },
    text(part: string, within: readonly string[]) {
      if (isShared && within.at(-1) === 'v') text += part
    },
  }
}

/** What only old rows had becomes empty, so that the others keep their numbers. */
async function copyStrings(parts: Parts, used: ReadonlySet<number>): Promise<string> {
  let index = -1
  const copy = createXmlCopy({
    open(name, attributes) {
      if (name === 'si') index += 1
      const isOfOldRow = index >= 0 && name !== 'si' && name !== 'sst' && !used.has(index)
      return isOfOldRow ? null : attributes
    },
  })
  await scanPart(parts, stringsPart, copy)
  return copy.xml().replaceAll('<si/>', '<si><t/></si>')
}

/** A table or chart, without the texts that its filter or it keeps of rows. */
async function copyView(parts: Parts, part: string): Promise<string> {
  const copy = createXmlCopy({
    open(name, attributes, within) {
      const isKept = ['strCache', 'numCache', 'multiLvlStrCache'].includes(name)
      return isKept || within.at(-1) === 'autoFilter' ? null : attributes
    },
    close(name, content) {
      mustNotAsk(name, content)
      return true
    },
  })
  await scanPart(parts, part, copy)
  return copy.xml()
}

// What comes behind calcPr in a workbook.
const behindCalculation = [
  'oleSize',
  'customWorkbookViews',
  'pivotCaches',
  'smartTagPr',
  'smartTagTypes',
  'webPublishing',
  'fileRecoveryPr',
  'webPublishObjects',
  'extLst',
]

/** It is calculated when it is opened: the results are of the old rows. */
async function copyWorkbook(parts: Parts, noteAsking: NoteAsking): Promise<string> {
  let calculation = '<calcPr fullCalcOnLoad="1"/>'
  function placeCalculation() {
    copy.write(calculation)
    calculation = ''
  }
  const copy = createXmlCopy({
    open(name, attributes, within) {
      const isMacro = [attributes.vbProcedure, attributes.function, attributes.xlm].includes('1')
      if (name === 'externalReferences' || (name === 'definedName' && isMacro)) return null
      if (within.at(-1) === 'workbook' && behindCalculation.includes(name)) placeCalculation()
      if (name !== 'calcPr') return attributes
      calculation = ''
      return { ...attributes, fullCalcOnLoad: '1' }
    },
    close(name, content) {
      if (name === 'definedName') {
        const asked = reachOf(content)
        if (asked !== undefined) noteAsking(asked)
        return asked === undefined
      }
      if (name === 'workbook') placeCalculation()
      return name !== 'definedNames' || content.trim() !== ''
    },
  })
  await scanPart(parts, workbookPart, copy)
  return copy.xml()
}

async function copyTypes(parts: Parts, gone: ReadonlySet<string>): Promise<string> {
  const copy = createXmlCopy({
    open(_name, attributes) {
      const { PartName = '', ContentType = '' } = attributes
      return gone.has(PartName.slice(1)) || ContentType.endsWith('vbaProject') ? null : attributes
    },
  })
  await scanPart(parts, typesPart, copy)
  return copy.xml()
}

async function copyRelations(parts: Parts, path: string, gone: ReadonlySet<string>): Promise<string> {
  const copy = createXmlCopy({
    open: (name, attributes) =>
      name === 'Relationship' && gone.has(attributes.Id ?? '') ? null : attributes,
  })
  await scanPart(parts, path, copy)
  return copy.xml()
}

function zipped(
  parts: Parts,
  gone: ReadonlySet<string>,
  rewritten: ReadonlyMap<string, string>,
): Promise<Buffer> {
  const zip = openZip(new Date())
  for (const path of parts.paths) {
    if (gone.has(path) || path.endsWith('/')) continue
    const xml = rewritten.get(path)
    if (xml === undefined) zip.addStream(path, parts.read(path))
    else zip.addText(path, xml)
  }
  zip.end()
  return buffer(zip.output)
}
