import { buildRegistration } from '#tests/factories/registration.ts'

/** What a student types into the enlistment form, by the fields' names. Fields with '' are left alone. */
export function enlistmentAnswers(overrides: Record<string, string> = {}): Record<string, string | boolean> {
  const { consent, dateOfBirth, ...fields } = { ...buildRegistration(), ...overrides }
  const [birthYear = '', month = '', day = ''] = dateOfBirth.split('-')
  const answers = { ...fields, birthYear, birthMonth: String(Number(month)), birthDay: String(Number(day)) }
  const given = Object.entries(answers).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), consent }
}

/** All that is starred for everybody, and no more. */
export function leastAnswers(overrides: Record<string, string> = {}): Record<string, string | boolean> {
  const { consent, ...all } = enlistmentAnswers()
  const required = ['lastName', 'firstName', 'address', 'birthMonth', 'birthDay', 'birthYear', 'placeOfBirth']
  const chosen = ['sex', 'civilStatus', 'course', 'yearLevel', 'nstpComponent']
  const reached = ['contactNumber', 'email', 'emergencyContactName', 'emergencyContactNumber']
  const least = Object.fromEntries(
    [...required, ...chosen, ...reached].map((name) => [name, all[name] ?? '']),
  )
  return { ...least, ...overrides, consent: consent ?? true }
}
