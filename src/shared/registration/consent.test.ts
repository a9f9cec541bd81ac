import { expect, test } from 'vitest'
import { consentNotice, consentStatement, consentVersion, guardianStatement } from './consent.ts'

test('a version names one exact text: a change of words needs a new version here and in consent.ts', () => {
  expect({
    version: consentVersion,
    notice: consentNotice,
    statement: consentStatement,
    guardian: [guardianStatement(''), guardianStatement(' Ana Cruz ')],
  }).toMatchInlineSnapshot(`
    {
      "guardian": [
        "For students under 18: I am the parent or guardian named in this form, and I agree too.",
        "I am Ana Cruz, the parent or guardian of this student, and I agree too.",
      ],
      "notice": [
        "The NSTP office collects the answers on this form to enlist you under Republic Act 9163, to keep your training record, and to reach you or your emergency contact during training.",
        "Only people of your school who have an account from the NSTP office can open your record, and only what their work needs. The office passes on what the program requires: ROTC records to the Department of National Defense, CWTS records to the Commission on Higher Education.",
        "Under the Data Privacy Act of 2012 (Republic Act 10173) you may at any time see your data, get a copy, have it corrected or deleted, or withdraw your consent: on your own page, My NSTP, or at the office. If you are under 18, please read this with your parent or guardian.",
      ],
      "statement": "I have read this notice and the privacy notice, and I agree that the NSTP office collects and uses my personal and sensitive personal information as they describe.",
      "version": "2026-11-30.2",
    }
  `)
})
