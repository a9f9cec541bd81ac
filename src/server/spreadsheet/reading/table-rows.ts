import { csvRows } from './csv-file.ts'
import type { TableRow } from './sheet-rows.ts'
import { fileSentences, unreadable } from './unreadable.ts'
import { workbookRows } from './workbook-file.ts'

/** The container of .xls and of Office files with a password. */
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')
const zipFile = Buffer.from('PK\u0003\u0004')
const otherFiles = [
  '%PDF',
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  'PK',
  'Rar!',
  '7z\xbc\xaf',
  '\x1f\x8b',
  'MZ',
  '\x7fELF',
]

/** Whether a file is called a workbook and is none. */
export function isMisnamed(file: Buffer, fileName: string): boolean {
  return /\.xlsx?$/i.test(fileName.trim()) && !isZip(file)
}

/**
 * The rows of a table that somebody uploads. What it is, its first bytes tell; a name can be wrong.
 *
 * @throws AppError `invalid` with what to do, for everything but .xlsx and CSV
 */
export function tableRows(file: Buffer): AsyncGenerator<TableRow> {
  if (file.subarray(0, compoundFile.length).equals(compoundFile)) {
    throw unreadable(file.includes(encryptedPackage) ? fileSentences.locked : fileSentences.oldExcel)
  }
  if (isZip(file)) return workbookRows(file)
  const start = file.toString('latin1', 0, 8)
  if (otherFiles.some((beginning) => start.startsWith(beginning))) throw unreadable(fileSentences.otherType)
  return csvRows(file)
}

function isZip(file: Buffer): boolean {
  return file.subarray(0, zipFile.length).equals(zipFile)
}
