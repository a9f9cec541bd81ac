import { createStylesListener } from './cell-formats.ts'
import { createStringsListener } from './shared-strings.ts'
import { createRowsListener, type TableRow } from './sheet-rows.ts'
import { fileSentences, unreadable } from './unreadable.ts'
import { attribute, createXmlScanner, type XmlListener } from './xml-scanner.ts'
import { openZip, type ZipArchive } from './zip-archive.ts'

const workbookPart = 'xl/workbook.xml'
const relationsPart = 'xl/_rels/workbook.xml.rels'
/** The parts that describe a workbook are small, in bytes; only texts and sheets grow with the rows. */
const maxDescription = 16 * 1024 * 1024
const maxTexts = 128 * 1024 * 1024

/**
 * The rows of a workbook's first visible sheet, read as they are wanted: of the sheet, which is nearly all of a
 * large workbook, only a few rows are in memory.
 *
 * @throws AppError `invalid` for a file that is none
 */
export async function* workbookRows(file: Buffer): AsyncGenerator<TableRow> {
  const zip = openZip(file)
  if (!zip.has(workbookPart)) throw unreadable(fileSentences.otherType)
  const { sheetPart, counts1904 } = await readWorkbook(zip)
  const styles = createStylesListener()
  if (zip.has('xl/styles.xml')) await scan(zip, 'xl/styles.xml', styles)
  const shared = createStringsListener()
  if (zip.has('xl/sharedStrings.xml')) await scan(zip, 'xl/sharedStrings.xml', shared, maxTexts)
  const rows = createRowsListener({ strings: shared.strings, dateStyles: styles.dateStyles, counts1904 })
  for await (const _piece of pieces(zip, sheetPart, rows)) yield* rows.take()
}

async function scan(
  zip: ZipArchive,
  part: string,
  listener: XmlListener,
  maxBytes = maxDescription,
): Promise<void> {
  for await (const _piece of pieces(zip, part, listener, maxBytes));
}

/** Passes a part through a listener, piece by piece. */
async function* pieces(
  zip: ZipArchive,
  part: string,
  listener: XmlListener,
  maxBytes?: number,
): AsyncGenerator<void> {
  const scanner = createXmlScanner(listener)
  const decoder = new TextDecoder()
  for await (const piece of zip.read(part, maxBytes)) {
    scanner.write(decoder.decode(piece, { stream: true }))
    yield
  }
  scanner.end()
  yield
}

async function readWorkbook(zip: ZipArchive): Promise<{ sheetPart: string; counts1904: boolean }> {
  const sheets: { relation: string; isVisible: boolean }[] = []
  let counts1904 = false
  await scan(zip, workbookPart, {
    open(name, attributes) {
      if (name === 'workbookPr') counts1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
      if (name !== 'sheet') return
      const state = attribute(attributes, 'state') ?? 'visible'
      sheets.push({ relation: attribute(attributes, 'id') ?? '', isVisible: state === 'visible' })
    },
  })
  const targets = await readRelations(zip)
  const sheet = sheets.find(({ isVisible }) => isVisible) ?? sheets[0]
  const target = targets.get(sheet?.relation ?? '')
  if (target === undefined) throw unreadable(fileSentences.damaged)
  const sheetPart = target.startsWith('/') ? target.slice(1) : `xl/${target}`
  if (!zip.has(sheetPart)) throw unreadable(fileSentences.damaged)
  return { sheetPart, counts1904 }
}

async function readRelations(zip: ZipArchive): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  if (!zip.has(relationsPart)) return targets
  await scan(zip, relationsPart, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      targets.set(attribute(attributes, 'Id') ?? '', attribute(attributes, 'Target') ?? '')
    },
  })
  return targets
}
