import type { StoredTemplate } from './stored-template.tsx'

/** The welcome mail for many at once, such as students who were imported. */
export const enlistment: StoredTemplate = {
  name: 'welcome',
  title: 'Confirmation of enlistment',
  subject: 'Welcome to NSTP, {firstName}',
  heading: 'You are enlisted in NSTP',
  text: `Dear {firstName},

You are enlisted in the National Service Training Program. Keep this e-mail: the office finds your record by the reference code.

The NSTP office calls or writes to you if something is missing. Come to the orientation when the office calls it, and bring your school ID.`,
  facts: ['reference', 'component', 'course', 'academicYear'],
}
