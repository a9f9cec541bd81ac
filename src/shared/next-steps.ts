/** What follows an enlistment: on the confirmation page and in the welcome mail. */
export const nextSteps = [
  'The NSTP office checks your registration. It calls or writes to you if something is missing.',
  'Come to the orientation when the office calls it, and bring your school ID.',
] as const
