// RA 10173. A changed word needs a new version, which is stored with each record. A test checks this.

export const consentVersion = '2026-11-30.2'

export const consentNotice = [
  'The NSTP office collects the answers on this form to enlist you under Republic Act 9163, to keep your ' +
    'training record, and to reach you or your emergency contact during training.',
  'Only people of your school who have an account from the NSTP office can open your record, and only what ' +
    'their work needs. The office passes on what the program requires: ROTC records to the Department of ' +
    'National Defense, CWTS records to the Commission on Higher Education.',
  'Under the Data Privacy Act of 2012 (Republic Act 10173) you may at any time see your data, get ' +
    'a copy, have it corrected or deleted, or withdraw your consent: on your own page, My NSTP, or at the office. If you are under 18, ' +
    'please read this with your parent or guardian.',
] as const

/** Shown above the consent, and in the privacy notice, until the office has given both. */
export const unnamedOffice =
  'The NSTP office has not given the name of its school or a data protection contact here yet. Ask the office at your ' +
  'school who receives your answers.'

export const consentStatement =
  'I have read this notice and the privacy notice, and I agree that the NSTP office collects and uses my ' +
  'personal and sensitive personal information as they describe.'

/** @param name as far as it was typed */
export function guardianStatement(name: string): string {
  return name.trim() === ''
    ? 'For students under 18: I am the parent or guardian named in this form, and I agree too.'
    : `I am ${name.trim()}, the parent or guardian of this student, and I agree too.`
}

export const nextSteps = [
  'The NSTP office checks your registration. We’ll contact you if anything is missing.',
  'Attend the orientation when it is announced, and bring your school ID.',
] as const

/**
 * The cookie that shows a browser its own registration; over https its name has the prefix '__Host-'. Not beside the
 * form's rules: public pages would load those with it.
 */
export const receiptCookieName = 'nstp-receipt'
