import { classOf, type RecordMember } from '#shared/students/student-fields.ts'
import type { Access } from './access.ts'

export function isVisible(member: RecordMember, access: Access): boolean {
  return isShown(member, access)
}

function isShown(member: string, access: Access): boolean {
  const ofClass = classOf(member)
  return ofClass === null ? access.seesAll : access.sees(ofClass)
}

export type Visible<Row> = {
  [Name in keyof Row]: Name extends 'consentedAt' ? Row[Name] | null : Row[Name]
}

// A row with a member that no class has doesn't compile. The values of a change have any names.
type Listed<Row> = string extends keyof Row ? unknown : { [Name in Exclude<keyof Row, RecordMember>]: never }

/**
 * A record as somebody may see it, and the only way to one: texts that are hidden are empty, instants null. Also for a
 * part of a record, such as the values of a change.
 */
export function visible<Row extends object>(record: Row & Listed<Row>, access: Access): Visible<Row> {
  // Typed by hand because fromEntries loses the key type.
  return (access.seesAll ? record : Object.fromEntries(shown(record, access))) as Visible<Row>
}

function shown(record: object, access: Access): [string, unknown][] {
  return Object.entries(record).map(([name, value]) => {
    if (isShown(name, access)) return [name, value]
    return [name, typeof value === 'string' ? '' : null]
  })
}
