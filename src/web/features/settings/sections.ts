import { certificateLimits } from '#shared/certificates/certificates.ts'
import { heiTypeNames, heiTypes, officeLimits } from '#shared/papers/office.ts'
import { featureIcons, siteTextLimits as limits, settingsLimits } from '#shared/settings/settings-schema.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { optionsOf } from '#web/lib/options.ts'
import { iconLabels, isSettingName, type SettingName, settingLabels } from './setting-texts.ts'

export interface FieldSpec {
  /** The path of a value in the settings, or in an entry of a list. */
  path: string
  /** The label. If it is absent, the setting's label is used. */
  label?: string
  kind?:
    | 'line'
    | 'email'
    | 'tel'
    | 'date'
    | 'datetime-local'
    | 'text'
    /** Keeps its line breaks. */
    | 'lines'
    | 'number'
    | 'optional number'
    | 'checkbox'
    | 'choice'
    | 'course'
  /** Characters; a hint counts them near the end. */
  max?: number
  hint?: string
  isRequired?: boolean
  /** Only while another field has this value. */
  shownWhile?: readonly [path: string, value: string]
  options?: readonly { value: string; label: string }[]
}

export interface EntriesSpec {
  path: string
  noun: string
  max: number
  blank: Record<string, string>
  fields: readonly FieldSpec[]
}

export interface SectionSpec {
  title: string
  lead?: string
  /** Settings that none of the fields below is of. */
  names?: readonly SettingName[]
  fields?: readonly FieldSpec[]
  entries?: EntriesSpec
}

const required = { isRequired: true }

export const sections = {
  names: {
    title: 'Names',
    fields: [
      {
        path: 'systemName',
        max: settingsLimits.name,
        hint: 'Shown in the header and browser tab.',
        ...required,
      },
      {
        path: 'schoolName',
        max: settingsLimits.schoolName,
        hint: 'Shown under the system name, in the footer and on print forms.',
      },
      {
        path: 'rotcOfficeAddress',
        max: settingsLimits.address,
        hint: 'Shown in the header of the ROTC form. If blank, the form prints without an office address.',
      },
    ],
  },
  years: {
    title: 'Academic years',
    lead: 'Shown in the enlistment form and filters. Removing a year does not change existing records.',
    names: ['academicYears', 'currentAcademicYear'],
  },
  courses: {
    title: 'Courses',
    lead: 'Shown in the enlistment form, in this order. Removing a course does not change existing records.',
    names: ['courses'],
  },
  programs: {
    title: 'Degree programs',
    lead: 'The enlistment form asks for the degree program of those courses that have some here. Removing one does not change existing records.',
    names: ['programs'],
    entries: {
      path: 'programs',
      noun: 'Degree program',
      max: settingsLimits.programs,
      blank: { course: '', name: '' },
      fields: [
        { path: 'course', label: 'Course', kind: 'course', ...required },
        { path: 'name', label: 'Name', max: settingsLimits.programName, ...required },
      ],
    },
  },
  enlistment: {
    title: settingLabels.enlistment,
    lead: 'While enlistment is closed you can still sign in and work, and students filling in the form keep their answers. Slots are counted per academic year; imported records may exceed them. Leave them empty for no limit. With a daily code the form asks for six characters that this screen shows.',
    fields: [
      {
        path: 'enlistment.state',
        label: 'Is enlistment open?',
        kind: 'choice',
        options: [
          { value: 'closed', label: 'Closed (Maintenance Mode)' },
          { value: 'open', label: 'Open' },
          { value: 'dates', label: 'Open between dates' },
        ],
      },
      {
        path: 'enlistment.message',
        label: 'Message to students',
        kind: 'text',
        max: settingsLimits.sentence,
        shownWhile: ['enlistment.state', 'closed'],
        ...required,
      },
      {
        path: 'enlistment.opensAt',
        label: 'Opens',
        kind: 'datetime-local',
        hint: 'Shown on the home page, the announcements and the form. Leave empty for no limit.',
        shownWhile: ['enlistment.state', 'dates'],
      },
      {
        path: 'enlistment.closesAt',
        label: 'Closes',
        kind: 'datetime-local',
        hint: 'Its day is shown on the home page as “Enlistment until”, unless This semester lists a date of that name.',
        shownWhile: ['enlistment.state', 'dates'],
      },
      { path: 'onlyWithCode', kind: 'checkbox' },
      ...nstpComponents.map(
        (name) => ({ path: `quotas.${name}`, label: `Slots in ${name}`, kind: 'optional number' }) as const,
      ),
    ],
  },
  semesters: {
    title: 'Semesters',
    lead: '“Current Semester” and “Last Semester” follow these months. The academic year starts with the first semester.',
    names: ['semesters'],
  },
  levelNames: {
    title: settingLabels.levelNames,
    lead: 'Shown on the screens and class lists of terms, such as MS-1 and MS-2 for ROTC.',
    fields: nstpComponents.flatMap((component) => [
      {
        path: `levelNames.${component}.first`,
        label: `First level of ${component}`,
        max: settingsLimits.levelName,
        ...required,
      },
      {
        path: `levelNames.${component}.second`,
        label: `Second level of ${component}`,
        max: settingsLimits.levelName,
        ...required,
      },
    ]),
  },
  marking: {
    title: settingLabels.marking,
    lead: 'The numbers that teachers give. A change holds for marks entered from then on; it does not change the outcome of earlier ones.',
    fields: [
      { path: 'marking.best', label: 'Best mark', hint: 'Such as 1.00, or 100.', ...required },
      {
        path: 'marking.passing',
        label: 'Passing mark',
        hint: 'The last one that passes, such as 3.00, or 75.',
        ...required,
      },
      { path: 'marking.worst', label: 'Worst mark', hint: 'Such as 5.00, or 0.', ...required },
    ],
  },
  studentsSeeMarks: {
    title: settingLabels.studentsSeeMarks,
    lead: 'On their own page /my students read their mark and whether they passed, after a code from their mail or a slip of the office.',
    fields: [
      {
        path: 'studentsSeeMarks',
        label: 'When students see a mark',
        kind: 'choice',
        options: [
          { value: 'never', label: 'Never' },
          { value: 'closed', label: 'When the term is closed' },
          { value: 'at once', label: 'As soon as it is entered' },
        ],
      },
    ],
  },
  office: {
    title: 'Office',
    lead: 'For the papers that the office sends to CHED and the AFP. Nothing here is shown to visitors.',
    fields: [
      {
        path: 'office.heiName',
        label: 'Name of the school at CHED',
        max: officeLimits.heiName,
        hint: 'If blank, the school name.',
      },
      { path: 'office.heiAddress', label: 'Address of the school', max: officeLimits.address },
      {
        path: 'office.heiType',
        label: 'Type of the school',
        kind: 'choice',
        options: [{ value: '', label: 'Not set' }, ...optionsOf(heiTypes, heiTypeNames)],
      },
      {
        path: 'office.region',
        label: 'Region',
        max: officeLimits.region,
        hint: 'As the workbook writes it, such as 03-Central Luzon.',
      },
      { path: 'office.phonesWithZero', label: 'Phone numbers begin with 0', kind: 'checkbox' },
      {
        path: 'office.addressee',
        label: 'Addressee of letters',
        max: officeLimits.addressee,
        hint: 'Such as The Regional Director, CHED Regional Office III.',
      },
    ],
  },
  signatories: {
    title: settingLabels.signatories,
    lead: 'Who signs papers and certificates, in this order.',
    names: ['signatories'],
    entries: {
      path: 'signatories',
      noun: 'Signatory',
      max: officeLimits.signatories,
      blank: { name: '', title: '', signs: 'both' },
      fields: [
        { path: 'name', label: 'Name', max: officeLimits.name, ...required },
        { path: 'title', label: 'Title', max: officeLimits.name, ...required },
        {
          path: 'signs',
          label: 'Signs',
          kind: 'choice',
          options: [
            { value: 'both', label: 'Papers and certificates' },
            { value: 'papers', label: 'Papers' },
            { value: 'certificates', label: 'Certificates' },
          ],
        },
      ],
    },
  },
  certificates: {
    title: settingLabels.certificates,
    lead: 'The wording, line by line. The first line is the title; the line with {name} is large. Also {component}, {componentName}, {academicYear}, {serial}, {day}, {month} and {year} are filled in. A change holds for certificates that are printed from then on.',
    fields: [
      {
        path: 'certificates.completion',
        label: 'Certificate of completion, CWTS and LTS',
        kind: 'lines',
        max: certificateLimits.wording,
        ...required,
      },
      {
        path: 'certificates.rotc',
        label: 'Certificate of completion, ROTC',
        kind: 'lines',
        max: certificateLimits.wording,
        hint: 'With the rank that the Department of National Defense gives, such as Pvt.',
        ...required,
      },
      {
        path: 'certificates.certification',
        label: 'Certification',
        kind: 'lines',
        max: certificateLimits.wording,
        hint: 'For anybody with a serial number, also of earlier years.',
        ...required,
      },
    ],
  },
  retention: {
    title: 'Retention',
    fields: [
      {
        path: 'recordRetentionYears',
        kind: 'number',
        hint: 'Counted from when a record was archived. Shown in the privacy notice.',
      },
      {
        path: 'auditRetentionMonths',
        kind: 'number',
        hint: 'Older audit entries are deleted automatically.',
      },
    ],
  },
  signIn: {
    title: 'Sign-in',
    lead: 'Who must use two-factor sign-in has a week to set it up; each screen shows the time left. After that week an account without it opens only the set-up page, and its API tokens stop working.',
    fields: [
      {
        path: 'twoFactorRequired',
        kind: 'choice',
        options: [
          { value: 'nobody', label: 'Nobody' },
          { value: 'leaders', label: 'Administrators, coordinators and privacy officers' },
          { value: 'everyone', label: 'Everyone' },
        ],
      },
    ],
  },
  publicAddress: {
    title: settingLabels.publicAddress,
    lead: 'The address by which students reach this portal. Links in e-mails lead here. Without it no announcement or bulk e-mail is sent, because each needs a link to unsubscribe.',
    fields: [
      { path: 'publicAddress', max: settingsLimits.address, hint: 'Such as https://nstp.school.edu.ph' },
    ],
  },
  mail: {
    title: 'E-mail limits',
    lead: 'Extra e-mails wait in the outbox and are sent later.',
    fields: [
      {
        path: 'mailPerDay',
        kind: 'number',
        hint: 'In any 24 hours. Gmail stops sending for a day after about 500; stay below that. 10% is reserved for confirmations and single e-mails.',
      },
      { path: 'mailPerMinute', kind: 'number', hint: 'Sending too fast may be flagged as spam.' },
    ],
  },
  hero: {
    title: settingLabels.hero,
    lead: 'Shown first on the home page. The figures below it are fixed.',
    fields: [
      { path: 'hero.eyebrow', label: 'Above the title', max: limits.eyebrow, hint: 'Leave empty to hide.' },
      { path: 'hero.title', label: 'Title', max: limits.title, ...required },
      { path: 'hero.text', label: 'Text under the title', kind: 'text', max: limits.text, ...required },
    ],
  },
  features: {
    title: settingLabels.features,
    lead: 'Shown on the home page. Leave the list empty to hide this section.',
    fields: [{ path: 'features.title', label: 'Heading', max: limits.title, ...required }],
    entries: {
      path: 'features.items',
      noun: 'Feature',
      max: limits.features,
      blank: { icon: 'people', title: '', text: '' },
      fields: [
        { path: 'title', label: 'Title', max: limits.title, ...required },
        {
          path: 'icon',
          label: 'Icon',
          kind: 'choice',
          options: optionsOf(featureIcons, iconLabels),
        },
        { path: 'text', label: 'Text', kind: 'text', max: limits.text, ...required },
      ],
    },
  },
  componentFacts: {
    title: settingLabels.componentFacts,
    lead: 'Shown on the home page and under Programs. Leave a field empty to hide it.',
    fields: nstpComponents.flatMap((component) => {
      const path = (name: string) => `componentFacts.${component}.${name}`
      return [
        {
          path: path('does'),
          label: `What one does in ${component}`,
          kind: 'text',
          max: limits.does,
          ...required,
        },
        { path: path('hours'), label: `Hours of ${component}`, max: limits.line },
        { path: path('uniform'), label: `Uniform of ${component}`, max: limits.line },
        { path: path('cost'), label: `Cost of ${component}`, max: limits.line },
      ] as const
    }),
  },
  termDates: {
    title: settingLabels.termDates,
    lead: 'Shown on the home page, the next first, until their day is over. Where enlistment has a closing time, its day is shown by itself as “Enlistment until”, unless you list a date of that name. Without dates this section is hidden.',
    names: ['termDates'],
    entries: {
      path: 'termDates',
      noun: 'Date',
      max: limits.termDates,
      blank: { label: '', date: '' },
      fields: [
        {
          path: 'label',
          label: 'What',
          max: limits.title,
          hint: 'Such as Orientation, First training day, End of the semester.',
          ...required,
        },
        { path: 'date', label: 'Date', kind: 'date', ...required },
      ],
    },
  },
  contact: {
    title: settingLabels.contact,
    lead: 'Shown on the Contact page and at the foot of every page. Leave fields empty to hide them.',
    fields: [
      { path: 'contact.office', label: 'Office name', max: limits.line, ...required },
      { path: 'contact.address', label: 'Address', max: limits.address },
      { path: 'contact.email', label: 'E-mail address', kind: 'email', max: limits.email },
      { path: 'contact.phone', label: 'Phone number', kind: 'tel', max: limits.phone },
      { path: 'contact.hours', label: 'Office hours', max: limits.line },
      {
        path: 'officeLinks.facebook',
        label: 'Facebook page',
        max: limits.webAddress,
        hint: 'Such as https://www.facebook.com/nstp.office',
      },
      {
        path: 'officeLinks.map',
        label: 'Map',
        max: limits.webAddress,
        hint: 'The address of the office on a map: open the map, choose Share and copy the link.',
      },
    ],
  },
  dataProtection: {
    title: settingLabels.dataProtection,
    lead: 'Shown in the privacy notice and on the Contact page, for questions about personal data (Republic Act 10173). Leave fields empty to hide them.',
    fields: [
      { path: 'dataProtection.officer', label: 'Name of the data protection officer', max: limits.line },
      { path: 'dataProtection.email', label: 'E-mail address', kind: 'email', max: limits.email },
      { path: 'dataProtection.phone', label: 'Phone number', kind: 'tel', max: limits.phone },
    ],
  },
  testimonials: {
    title: settingLabels.testimonials,
    lead: 'Shown on the home page. Sample quotes; replace with real ones from graduates who agreed to be quoted. Visitors never see the samples. Leave the list empty to hide this section.',
    fields: [{ path: 'testimonials.title', label: 'Heading', max: limits.title, ...required }],
    entries: {
      path: 'testimonials.items',
      noun: 'Testimonial',
      max: limits.testimonials,
      blank: { quote: '', attribution: '' },
      fields: [
        { path: 'quote', label: 'Quote', kind: 'text', max: limits.quote, ...required },
        {
          path: 'attribution',
          label: 'Name',
          max: limits.attribution,
          hint: 'Shown under the quote, such as “A CWTS graduate”.',
          ...required,
        },
      ],
    },
  },
} as const satisfies Record<string, SectionSpec>

/** The settings of a section. */
export function namesOf({ names = [], fields = [] }: SectionSpec): SettingName[] {
  const named = fields.map(({ path }) => path.split('.')[0] ?? '')
  return [...new Set([...names, ...named])].filter(isSettingName)
}
