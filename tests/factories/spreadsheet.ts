import { buffer } from 'node:stream/consumers'
import { writeWorkbook } from '#server/spreadsheet/workbook.ts'
import { importFieldLabel } from '#shared/imports/imports.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { buildRegistration } from './registration.ts'

export type SheetRow = Record<string, string>

export function buildSheetRow(overrides: Partial<Record<StudentField | 'registrationDate', string>> = {}) {
  const { consent: _consent, ...fields } = buildRegistration()
  const row: SheetRow = {}
  for (const field of studentFieldNames) row[importFieldLabel(field)] = overrides[field] ?? fields[field]
  if (overrides.registrationDate !== undefined) row['Registration Date'] = overrides.registrationDate
  return row
}

export function buildSheetRows(count: number, from = 1): SheetRow[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    return buildSheetRow({
      lastName: `Imported${String(number).padStart(5, '0')}`,
      email: `imported${number}@student.example`,
      studentId: `26-${String(number).padStart(5, '0')}`,
    })
  })
}

function headersOf(rows: readonly SheetRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

export function toCsv(rows: readonly SheetRow[], delimiter = ','): string {
  const quote = (text: string) => (/["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const headers = headersOf(rows)
  const lines = rows.map((row) => headers.map((header) => quote(row[header] ?? '')).join(delimiter))
  return `${[headers.map(quote).join(delimiter), ...lines].join('\r\n')}\r\n`
}

export async function toWorkbook(rows: readonly SheetRow[]): Promise<Buffer<ArrayBuffer>> {
  const workbook = writeWorkbook<SheetRow>({
    title: 'Students',
    sheetName: 'Students',
    created: new Date('2026-11-20T00:00:00Z'),
    timeZone: 'Asia/Manila',
    columns: headersOf(rows).map((header) => ({
      header,
      width: 20,
      kind: 'text',
      value: (row) => row[header] ?? '',
    })),
    rows,
  })
  return Buffer.from(await buffer(workbook))
}
