import { AppError } from '#server/errors.ts'

/** A file that holds no table we can read. The sentence says what to do about it. */
export function unreadable(detail: string, cause?: unknown): AppError {
  return new AppError('invalid', { detail, cause, errors: [{ path: 'file', message: detail }] })
}

export const fileSentences = {
  oldExcel:
    'This is an older Excel file (.xls). Please open it in Excel, choose Save As, and save it as an Excel Workbook (.xlsx).',
  locked:
    'This Excel file is protected by a password. Please open it in Excel, remove the password, and save it again.',
  otherType:
    'This is not an Excel (.xlsx) or CSV file. Please open it in your spreadsheet program and save it as .xlsx or CSV.',
  damaged:
    'This file could not be read; it may be damaged. Please open it in your spreadsheet program, save it again as .xlsx, and try once more.',
  tooLarge:
    'This file unpacks to more than can be read. Please save only the rows and columns with students into a new file.',
  tooManyColumns: (max: number) =>
    `This file has more than ${max} columns. Please keep only the columns with the students' data.`,
  empty: 'This file has no rows below its headings. Please choose the file with the list of students.',
} as const
