import type { NstpComponent } from '#shared/student-choices.ts'

export interface Program {
  component: NstpComponent
  /** What the law says the component is for (RA 9163, section 3). */
  purpose: string
  activities: readonly string[]
  /** What its graduates become part of (RA 9163, section 11; RA 7077). */
  afterwards: string
  /** Offered on the enlistment form. */
  isOpen: boolean
}

/** The three components of the program, true to Republic Act 9163. */
export const programs: readonly Program[] = [
  {
    component: 'ROTC',
    purpose:
      'Military training for college students, to motivate, train, organize and mobilize them for national defense preparedness.',
    activities: ['Drills and ceremonies', 'Leadership and discipline', 'Disaster and rescue support'],
    afterwards: 'Graduates become part of the Citizen Armed Force.',
    isOpen: true,
  },
  {
    component: 'CWTS',
    purpose:
      'Work for the general welfare of communities: health, education, environment, entrepreneurship, safety, recreation and morals of the citizenry.',
    activities: ['Community projects', 'Health and environment drives', 'Disaster risk reduction'],
    afterwards: 'Graduates become part of the National Service Reserve Corps.',
    isOpen: true,
  },
  {
    component: 'LTS',
    purpose:
      'Training to teach reading, writing and numbers to school children, out-of-school youth and others in need of it.',
    activities: [
      'Tutoring in reading and numeracy',
      'Making learning materials',
      'Work with out-of-school youth',
    ],
    afterwards: 'Graduates become part of the National Service Reserve Corps.',
    isOpen: false,
  },
]
