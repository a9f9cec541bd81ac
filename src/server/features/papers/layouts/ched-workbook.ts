import type { Layout, LayoutColumn, LayoutCount, LayoutSheet } from './layout.ts'

const lastRow = 21_001

const columnsOf = (year: string): LayoutColumn[] => [
  { head: 'SEQNO.', value: 'seq', format: 'number' },
  { head: year, value: 'paperYear' },
  { head: 'NSTP COMPONENT (CWTS/LTS/ROTC)', value: 'component' },
  { head: 'REGION', value: 'region' },
  { head: 'NSTP SERIAL NUMBER', value: 'blank' },
  { head: 'LAST NAME', value: 'lastName' },
  { head: 'FIRST NAME', value: 'firstName' },
  { head: 'EXTENSION NAME', value: 'extensionName' },
  { head: 'MIDDLE NAME', value: 'middleName' },
  { head: 'BIRTHDATE', value: 'dateOfBirth', format: 'date' },
  { head: 'SEX (M/F)', value: 'sexLetter' },
  { head: 'STREET/ BRGY.', value: 'street' },
  { head: 'TOWN/CITY/ MUNICIPALITY', value: 'town' },
  { head: 'PROVINCE', value: 'province' },
  { head: 'HEI NAME', value: 'heiName' },
  { head: 'TYPES OF HEIS (SUCs/LUCs/\nPRIVATE/OGs', value: 'heiType' },
  { head: 'PROGRAM/COURSE ', value: 'officialProgram' },
  { head: 'YEAR LEVEL', value: 'yearLevel', format: 'number' },
  { head: 'EMAIL ADDRESS', value: 'email' },
  { head: 'CONTACT NUMBER\n(Mobile Number)', value: 'phone' },
]

const widths = {
  A: 6,
  B: 12.7,
  C: 16.6,
  D: 12.7,
  E: 12.4,
  F: 12.7,
  G: 20.7,
  H: 13.4,
  I: 13.6,
  J: 12.7,
  K: 12.7,
  L: 23,
  M: 17.7,
  N: 19.6,
  O: 21.1,
  P: 18.6,
  Q: 29,
  R: 17.4,
  S: 35.3,
  T: 15.9,
}

const letters = Object.keys(widths)

/** @param numbered the columns that the first row counts */
const listSheet = (
  name: string,
  of: 'enrolment' | 'graduates',
  { year, numbered, serialWidth }: { year: string; numbered: readonly string[]; serialWidth: number },
): LayoutSheet => ({
  name,
  widths: { ...widths, E: serialWidth },
  heights: { 2: 45 },
  isLandscape: true,
  cells: numbered.map((column, index) => ({
    at: `${column}1`,
    text: String(index + 1),
    style: 'columnNumber',
  })),
  list: { of, headRow: 2, columns: columnsOf(year) },
  choices: [
    { range: `C3:C${lastRow}`, values: ['CWTS', 'LTS', 'ROTC'] },
    { range: `K3:K${lastRow}`, values: ['M', 'F'] },
    { range: `P3:P${lastRow}`, values: ['SUCs', 'LUCs', 'PRIVATE', 'OGs'] },
    { range: `R3:R${lastRow}`, values: ['1', '2', '3', '4', '5', '6'] },
  ],
  dates: [{ range: `J3:J${lastRow}` }],
  colouredBlanks: `B3:T${lastRow}`,
})

const columnsByType: LayoutCount['columns'] = {
  PRIVATE: ['B', 'C'],
  SUCs: ['D', 'E'],
  LUCs: ['F', 'G'],
  OGs: ['H', 'I'],
}

/** @param row of the headings; the sexes and components are below */
const summaryCells = (row: number, text: string): LayoutSheet['cells'] => [
  { at: `A${row}`, text, style: 'label' },
  { at: `B${row}`, to: `C${row}`, text: 'PRIVATE', style: 'label' },
  { at: `D${row}`, to: `E${row}`, text: 'SUCS', style: 'label' },
  { at: `F${row}`, to: `G${row}`, text: 'LUCS', style: 'label' },
  { at: `H${row}`, to: `I${row}`, text: 'OGS', style: 'label' },
  ...['B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'].map((column, index) => ({
    at: `${column}${row + 1}`,
    text: index % 2 === 0 ? 'MALE' : 'FEMALE',
    style: 'label' as const,
  })),
  { at: `A${row + 2}`, text: 'CWTS', style: 'label' },
  { at: `A${row + 3}`, text: 'LTS', style: 'label' },
  { at: `A${row + 4}`, text: 'ROTC', style: 'label' },
]

const summaryCounts = (row: number, of: LayoutCount['of']): LayoutCount[] =>
  (['CWTS', 'LTS', 'ROTC'] as const).map((component, index) => ({
    of,
    row: row + 2 + index,
    component,
    columns: columnsByType,
  }))

export const chedWorkbook = {
  code: 'ched-workbook',
  title: 'CHED workbook',
  agency: 'CHED',
  purpose: 'graduates',
  takes: { components: ['ROTC', 'CWTS', 'LTS'], options: ['listsRotc'] },
  leavesOut: ['withSerial', 'sentBefore'],
  needs: ['region', 'heiType', 'heiName'],
  order: 'program',
  sheets: [
    {
      name: 'Summary',
      widths: { A: 32, B: 10, C: 10, D: 10, E: 10, F: 10, G: 10, H: 10, I: 10 },
      heights: { 2: 24 },
      isLandscape: true,
      cells: [
        { at: 'A2', text: 'Summary of NSTP enrollment and graduates AY {academicYear}', style: 'title' },
        { at: 'B3', text: 'TYPE OF HEI', style: 'label' },
        ...summaryCells(4, 'No. of enrolment per component'),
        ...summaryCells(10, 'No. of graduates per component'),
      ],
      counts: [...summaryCounts(4, 'enrolment'), ...summaryCounts(10, 'graduates')],
    },
    listSheet('NSTP Enrollment List', 'enrolment', {
      year: 'NSTP ENROLLMENT YEAR',
      numbered: letters.slice(1),
      serialWidth: 0,
    }),
    listSheet('NSTP Graduates', 'graduates', {
      year: 'NSTP GRADUATION YEAR',
      numbered: letters,
      serialWidth: widths.E,
    }),
  ],
} as const satisfies Layout
