import { enlistment } from './enlistment.tsx'
import { orientation } from './orientation.tsx'
import { requirements } from './requirements.tsx'
import type { StoredTemplate } from './stored-template.tsx'

/** What a bulk mail may be sent with by its name, in the order in which screens offer it. */
export const storedTemplates: readonly StoredTemplate[] = [enlistment, requirements, orientation]

/** Undefined where there is none of this name. */
export function findStoredTemplate(name: string): StoredTemplate | undefined {
  return storedTemplates.find((template) => template.name === name)
}
