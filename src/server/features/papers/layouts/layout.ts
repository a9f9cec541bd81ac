import type { SheetPlan } from '#server/spreadsheet/laid-out-sheet.ts'
import type { LayoutCode, PaperField, PaperPurpose } from '#shared/papers/papers.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { CogColumn } from '#shared/terms/mark-scheme.ts'

/** A part's per cent, and its points of the weight. */
export type CogValue = `${CogColumn}${'Percent' | 'Points'}`

/** What a column shows of a person: a field of the record, or what values.ts makes of it, the enrolment and the settings. */
export type ValueName =
  | PaperField
  | 'list'
  | 'seq'
  | 'paperYear'
  | 'component'
  | 'region'
  | 'heiName'
  | 'heiType'
  | 'street'
  | 'town'
  | 'sexLetter'
  | 'officialProgram'
  | 'phone'
  | 'capitalName'
  | 'section'
  | 'mark'
  | 'percent'
  | CogValue
  | 'remark'
  | 'transferee'
  | 'group'
  | 'blank'

export interface LayoutColumn {
  head: string
  value: ValueName
  // The format of the cells; text where none is given.
  format?: 'number' | 'date' | 'shortDate'
}

export type LayoutStyle = 'title' | 'head' | 'label' | 'count' | 'columnNumber' | 'line'

export interface LayoutCell {
  at: string
  // The last cell, where the text covers several.
  to?: string
  text: string
  style?: LayoutStyle
}

export interface LayoutList {
  of: 'enrolment' | 'graduates'
  // The row of the headings. The people are below it.
  headRow: number
  columns: readonly LayoutColumn[]
  // The line above the heads of each part of the list, which then begins at the head row.
  groups?: string
  // Texts below the last row: `down` is the number of rows below it.
  closing?: readonly { down: number; column: string; text: string }[]
}

/** A number of people, in the column of the school's type. */
export interface LayoutCount {
  of: 'enrolment' | 'graduates'
  row: number
  component: NstpComponent
  // Maps each type of school to its two columns: male, female.
  columns: Readonly<Record<string, readonly [string, string]>>
}

export interface LayoutSheet extends Omit<SheetPlan, 'cells' | 'frozenRows' | 'firstRow' | 'rows'> {
  cells: readonly LayoutCell[]
  counts?: readonly LayoutCount[]
  list?: LayoutList
}

/** A paper of an agency, as data: one object a file, its headings word for word. Texts may have {placeholders}. */
export interface Layout {
  code: LayoutCode
  title: string
  agency: string
  purpose: PaperPurpose
  takes: {
    components: readonly NstpComponent[]
    isOfOneComponent?: true
    // Whether the paper is of one term. Else it is of the academic year.
    term?: true
    level?: true
    options?: readonly ('listsRotc' | 'ofGraduates')[]
  }
  // Graduates that the paper leaves out: those with a serial number, or those in an earlier paper of this layout that was sent.
  leavesOut?: readonly ('withSerial' | 'sentBefore')[]
  // Settings without which it isn't frozen.
  needs: readonly ('region' | 'heiType' | 'heiName')[]
  order: 'program' | 'name' | 'levelAndSex'
  sheets: readonly LayoutSheet[]
}

/** What a frozen paper keeps beside its rows. */
export interface FrozenDefinition {
  layout: Layout
  // The values in the cells of each row, in this order.
  values: readonly ValueName[]
  // The texts that replace the placeholders, by name.
  texts: Readonly<Record<string, string>>
  heiType: string
}

/** Where a sheet of a layout is in the office's own workbook. */
export interface BaseSheet {
  part: string
  // 0 where it has no list.
  headRow: number
  // Addresses of the layout's titles that are written: where it has other words, they stay.
  titles: readonly string[]
  // Maps each value to the index of the column that shows it; null where the workbook has none.
  columns: Readonly<Partial<Record<ValueName, number | null>>>
  // The workbook's own cell formats in the row under the headings, by column, and those of them that show dates.
  styles: readonly number[]
  dates: readonly number[]
  height?: string
}
