import type { StoredTemplate } from './stored-template.tsx'

/** Before the first training day. */
export const orientation: StoredTemplate = {
  name: 'orientation',
  title: 'Invitation to the orientation',
  subject: 'NSTP orientation, {firstName}',
  heading: 'Come to the NSTP orientation',
  text: `Dear {firstName},

The orientation of your NSTP component is near. Its day and place stand in the announcements of the NSTP office.

- Come fifteen minutes early and bring your school ID.
- Wear comfortable clothes and closed shoes.
- If you cannot come, tell the office before that day.

We look forward to meeting you.`,
  facts: ['component', 'reference'],
}
