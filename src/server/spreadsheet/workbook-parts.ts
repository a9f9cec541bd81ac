import { xmlEscape } from '#server/lib/xml-escape.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packageUri = 'http://schemas.openxmlformats.org/package/2006'
const documentUri = 'http://schemas.openxmlformats.org/officeDocument/2006'

// Indexes into the cell formats (`cellXfs`) of `styles` below.
export const cellStyle = { general: 0, header: 1, text: 2, date: 3, instant: 4 } as const

export function sheetPath(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`
}

export interface WorkbookProperties {
  title: string
  creator: string
  created: Date
}

function each(sheetCount: number, write: (index: number) => string): string {
  return Array.from({ length: sheetCount }, (_, index) => write(index)).join('')
}

export function contentTypes(sheetCount: number): string {
  return (
    `${declaration}<Types xmlns="${packageUri}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
    each(
      sheetCount,
      (index) =>
        `<Override PartName="/${sheetPath(index)}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
    ) +
    '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
    '<Override PartName="/docProps/app.xml" ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/>' +
    '</Types>'
  )
}

export const packageRelations =
  `${declaration}<Relationships xmlns="${packageUri}/relationships">` +
  `<Relationship Id="rId1" Type="${documentUri}/relationships/officeDocument" Target="xl/workbook.xml"/>` +
  `<Relationship Id="rId2" Type="${packageUri}/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
  `<Relationship Id="rId3" Type="${documentUri}/relationships/extended-properties" Target="docProps/app.xml"/>` +
  '</Relationships>'

export function workbookRelations(sheetCount: number): string {
  return (
    `${declaration}<Relationships xmlns="${packageUri}/relationships">` +
    each(
      sheetCount,
      (index) =>
        `<Relationship Id="rId${index + 1}" Type="${documentUri}/relationships/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
    ) +
    `<Relationship Id="rId${sheetCount + 1}" Type="${documentUri}/relationships/styles" Target="styles.xml"/>` +
    '</Relationships>'
  )
}

// 49 is the built-in text format ("@"): a phone number or code remains text when a user edits the cell.
// Text is aligned to the top so that a cell with several lines reads with its row.
export const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE3EEE7"/><bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '</cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>'

/** A sheet as the workbook lists it: its name, and the range of its auto filter, such as $A$1:$C$9. */
export interface ListedSheet {
  name: string
  filterRange: string
}

export function workbook(sheets: readonly ListedSheet[]): string {
  const list = sheets.map(
    ({ name }, index) => `<sheet name="${xmlEscape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  // Excel stores a filter's range under this name too, and older versions repair a file without it.
  const names = sheets.map(({ name, filterRange }, index) => {
    const quoted = `'${name.replaceAll("'", "''")}'`
    return (
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">` +
      `${xmlEscape(`${quoted}!${filterRange}`)}</definedName>`
    )
  })
  return (
    `${declaration}<workbook xmlns="${main}" xmlns:r="${documentUri}/relationships">` +
    `<sheets>${list.join('')}</sheets><definedNames>${names.join('')}</definedNames></workbook>`
  )
}

export function coreProperties({ title, creator, created }: WorkbookProperties): string {
  const instant = created.toISOString().replace(/\.\d+Z$/, 'Z')
  return (
    `${declaration}<cp:coreProperties xmlns:cp="${packageUri}/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${xmlEscape(title)}</dc:title><dc:creator>${xmlEscape(creator)}</dc:creator>` +
    `<dcterms:created xsi:type="dcterms:W3CDTF">${instant}</dcterms:created></cp:coreProperties>`
  )
}

export function appProperties({ creator }: WorkbookProperties): string {
  return (
    `${declaration}<Properties xmlns="${documentUri}/extended-properties">` +
    `<Application>${xmlEscape(creator)}</Application></Properties>`
  )
}
