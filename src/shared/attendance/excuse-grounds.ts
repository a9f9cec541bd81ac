/** Privacy: a ground is no diagnosis. Apart from the rules of calls, which the page of a student would load with it. */
export const excuseGrounds = [
  'medical',
  'family',
  'school activity',
  'duty',
  'calamity',
  'religious',
  'other',
] as const
export type ExcuseGround = (typeof excuseGrounds)[number]

export const excuseGroundNames: Readonly<Record<ExcuseGround, string>> = {
  medical: 'Medical',
  family: 'Family',
  'school activity': 'School activity',
  duty: 'Official duty',
  calamity: 'Calamity or suspension',
  religious: 'Religious observance',
  other: 'Another ground',
}
