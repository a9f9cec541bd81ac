import type { FieldError } from '#shared/problem.ts'

/** What a page shows of a refused form: the texts that were typed, never a code of the second step. */
export interface Refusal {
  /** The intent names the form that was refused. */
  intent: string
  typed: Readonly<Record<string, string>>
  /** Null where the errors by field say all. */
  sentence: string | null
  errors: readonly FieldError[]
}

export function errorIn(refusal: Refusal | undefined, path: string): string | undefined {
  return refusal?.errors.find((error) => error.path === path)?.message
}
