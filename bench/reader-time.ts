import { stageFile } from '#server/features/imports/upload-file.ts'
import { buildWrittenWorkbook } from '#tests/factories/written-workbook.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { csvOf } from './import-time.ts'

export const readerRows = 20_000
// The number formats of a registrar's list: an ID, a phone number, a day, an average, a percentage.
const formats = ['General', '0000-00000', '00000000000', 'mm/dd/yyyy', '0.00', '0%']
const headings = ['Student ID', 'Last Name', 'First Name', 'Middle Name', 'Birthdate', 'Sex', 'Course']
const names = ['Peña', 'Dela Cruz', 'Santos', 'Reyes', 'Bautista', 'Villanueva', 'Garcia']

const nameAt = (index: number) => names[index % names.length] ?? ''

/** Of 20,000 rows and ten columns, five of which have a number format. */
export function workbookOfFormats(): Promise<Buffer<ArrayBuffer>> {
  const rows = Array.from({ length: readerRows }, (_, index) => [
    [202600000 + index, 1] as const,
    ...[nameAt(index), nameAt(index + 1), nameAt(index + 2)],
    [38_000 + (index % 1_500), 3] as const,
    ...['Male', 'SOICT'],
    [9_170_000_000 + index, 2] as const,
    [1 + (index % 200) / 100, 4] as const,
    [(index % 100) / 100, 5] as const,
  ])
  return buildWrittenWorkbook(
    [{ rows: [[...headings, 'Contact Number', 'Average', 'Attendance'], ...rows] }],
    formats,
  )
}

export function textFile(): Buffer {
  const rows = Array.from({ length: readerRows }, (_, index) => [
    ...[`2026-${String(index).padStart(5, '0')}`, nameAt(index), nameAt(index + 1), nameAt(index + 2)],
    ...[`200${index % 8}-05-12`, 'Male', 'SOICT', `0917${String(index).padStart(7, '0')}`],
    ...[((index % 200) / 100 + 1).toFixed(2), `${index % 100}%`],
  ])
  return Buffer.from(csvOf([[...headings, 'Contact Number', 'Average', 'Attendance'], ...rows]))
}

const times = 7

/** The least processor time of several readings, in ms: the others had to wait for the compiler or the memory. */
export async function timeReader(file: Buffer, fileName: string): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) {
    taken.push(await processorMs(() => stageFile(file, fileName, () => Promise.resolve())))
  }
  return Math.min(...taken)
}
