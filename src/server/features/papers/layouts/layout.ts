import type { LayoutCode, PaperField, PaperPurpose } from '#shared/papers/papers.ts'
import type { NstpComponent, sexes } from '#shared/students/student-choices.ts'

/** What a column shows of a person: a field of the record, or what values.ts makes of it, the enrolment and the settings. */
export type ValueName =
  | PaperField
  | 'seq'
  | 'paperYear'
  | 'component'
  | 'region'
  | 'heiName'
  | 'heiType'
  | 'street'
  | 'town'
  | 'birthdate'
  | 'sexLetter'
  | 'officialProgram'
  | 'phone'
  | 'email'
  | 'capitalName'
  | 'section'
  | 'mark'
  | 'remark'
  | 'isTransferee'
  | 'none'

/** Of the list, or of a part of it under a line of its own. */
export type GroupName = 'levelAndSex'

export interface LayoutColumn {
  head: string
  value: ValueName
  format?: 'number' | 'date' | 'shortDate'
}

export type LayoutStyle = 'title' | 'head' | 'label' | 'count' | 'columnNumber' | 'line'

export interface LayoutCell {
  at: string
  // The last cell, where it covers several.
  to?: string
  text: string
  style?: LayoutStyle
}

export interface LayoutList {
  of: 'enrolment' | 'graduates'
  // The heads are in the row before, or repeated under the line of each group.
  firstRow: number
  columns: readonly LayoutColumn[]
  groups?: GroupName
  // Cells under the last row, from it on: [how far down, column, text].
  closing?: readonly (readonly [number, string, string])[]
}

export interface LayoutCount {
  at: string
  of: 'enrolment' | 'graduates'
  component: NstpComponent
  sex: (typeof sexes)[number]
  // Empty unless the school is of this type.
  heiType: string
}

export interface LayoutSheet {
  name: string
  // By column.
  widths: Readonly<Record<string, number>>
  heights?: Readonly<Record<number, number>>
  isLandscape?: true
  cells: readonly LayoutCell[]
  counts?: readonly LayoutCount[]
  list?: LayoutList
  choices?: readonly { range: string; values: readonly string[] }[]
  dates?: readonly { range: string }[]
  colouredBlanks?: string
}

/** A paper of an agency, as data: one object a file, its headings word for word. Texts may have {placeholders}. */
export interface Layout {
  code: LayoutCode
  title: string
  agency: string
  purpose: PaperPurpose
  takes: {
    term: boolean
    components: readonly NstpComponent[]
    isOfOneComponent?: true
    level?: true
    options?: readonly ('listsRotc' | 'ofGraduates')[]
  }
  // Settings without which it can't be frozen.
  needs: readonly ('region' | 'heiType' | 'heiName')[]
  order: 'program' | 'name' | 'levelAndSex'
  sheets: readonly LayoutSheet[]
}

/** What a frozen paper keeps beside its rows. */
export interface FrozenDefinition {
  layout: Layout
  // Of the cells of each row.
  values: readonly ValueName[]
  // Of the placeholders.
  texts: Readonly<Record<string, string>>
  heiType: string
}
