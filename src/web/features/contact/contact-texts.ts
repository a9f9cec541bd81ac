/** The page 'Contact' around what the settings tell of the office. */
export const contactPage = {
  title: 'Contact',
  lead: 'The NSTP office helps with enlistment, records and questions about the program.',
  /** While the settings tell neither address, e-mail, phone nor hours. */
  unknown:
    'The office has not put its contact details here yet. Please ask at your school for the NSTP office or the NSTP coordinator; the announcements may tell more.',
  dataTitle: 'About your personal data',
  data: 'To see, correct, take along or erase what is recorded about you, or to complain about how it is used:',
  /** While the settings tell nobody for the protection of data. */
  dataUnknown:
    'Write to the NSTP office, to the attention of the NSTP coordinator. The office passes your request on to the data protection officer of the school where that is needed.',
  beforeTitle: 'Before you write',
  before: [
    'Name your reference code if you have it: it finds your record at once. Without it, give your full name, course and year.',
    'Never send your social security number or a photograph of an ID in a message unless the office asked for it.',
    'Many questions are answered already.',
  ],
} as const
