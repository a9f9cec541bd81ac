import type { StoredTemplate } from './stored-template.tsx'

/** To those whose records lack something. */
export const requirements: StoredTemplate = {
  name: 'requirements',
  title: 'Reminder: complete your requirements',
  subject: 'Please complete your NSTP requirements',
  heading: 'Please complete your requirements',
  text: `Dear {firstName},

Your NSTP record is not complete yet. Please bring the following to the NSTP office:

- your signed enlistment form
- a copy of your certificate of registration
- your school ID

The office will gladly tell you what is still missing. Please quote your reference code when you ask.`,
  facts: ['component', 'academicYear', 'reference'],
}
