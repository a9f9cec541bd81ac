// Product 2.5 and 25.3.

export const sexes = ['Male', 'Female'] as const
export const civilStatuses = ['Single', 'Married', 'Divorced', 'Widowed'] as const
/** Offered; any other text is accepted. */
export const nameExtensions = ['Jr.', 'Sr.', 'II', 'III', 'IV', 'V'] as const
export const bloodTypes = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'] as const
export const courses = ['SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE'] as const
export const academicYears = ['2023-2024', '2024-2025', '2025-2026', '2026-2027', '2027-2028'] as const

export const yearLevelLabels = ['1st Year', '2nd Year', '3rd Year', '4th Year'] as const

export const storedYearLevelLabels: readonly string[] = [...yearLevelLabels, '5th Year']

// LTS is counted but not offered at registration (product 2.2).
export const nstpComponents = ['ROTC', 'CWTS', 'LTS'] as const
export const registrationComponents = ['ROTC', 'CWTS'] as const

export type NstpComponent = (typeof nstpComponents)[number]

// RA 9163, section 3.
export const componentNames = {
  ROTC: "Reserve Officers' Training Corps",
  CWTS: 'Civic Welfare Training Service',
  LTS: 'Literacy Training Service',
} as const satisfies Record<NstpComponent, string>

export function isComponent(text: string): text is NstpComponent {
  return nstpComponents.some((component) => component === text)
}

/** The fields whose choices are the same everywhere, with these choices. */
export const fieldChoices = {
  sex: sexes,
  civilStatus: civilStatuses,
  bloodType: bloodTypes,
  yearLevel: storedYearLevelLabels,
  nstpComponent: nstpComponents,
} as const

export function yearLevelLabel(yearLevel: number): string {
  return yearLevelLabels[yearLevel - 1] ?? `${yearLevel}th Year`
}
