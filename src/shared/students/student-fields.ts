// Product 28.1. The form, database columns, record view, sheets and workbook follow this list.

export const sectionTitles = {
  name: 'Student name',
  personal: 'Address and personal data',
  education: 'Educational information',
  family: 'Parent / guardian',
  background: 'Educational background',
  work: 'Work experience',
  skills: 'Skills and hobbies',
  emergency: 'Emergency contact',
  coverage: 'Coverage',
}

export type FieldSection = keyof typeof sectionTitles

/** The class of a field decides who of the office sees it: #shared/people/permissions.ts. */
export const fieldClasses = ['roll', 'basic', 'contact', 'family', 'sensitive'] as const

export type FieldClass = (typeof fieldClasses)[number]

interface FieldDefinition {
  readonly label: string
  readonly section: FieldSection
  readonly class: FieldClass
  readonly required?: true
  readonly max: number
  readonly multiline?: true
}

export const studentFields = {
  lastName: { label: 'Last Name', section: 'name', class: 'roll', required: true, max: 100 },
  firstName: { label: 'First Name', section: 'name', class: 'roll', required: true, max: 100 },
  middleName: { label: 'Middle Name', section: 'name', class: 'roll', max: 100 },
  extensionName: { label: 'Extension Name', section: 'name', class: 'roll', max: 10 },

  address: { label: 'Address', section: 'personal', class: 'contact', required: true, max: 300 },
  barangay: { label: 'Barangay', section: 'personal', class: 'contact', max: 100 },
  municipalCity: { label: 'Municipality/City', section: 'personal', class: 'contact', max: 100 },
  province: { label: 'Province', section: 'personal', class: 'contact', max: 100 },
  zipCode: { label: 'ZIP Code', section: 'personal', class: 'contact', max: 10 },
  socialSecurityNumber: { label: 'Social Security Number', section: 'personal', class: 'sensitive', max: 30 },
  dateOfBirth: { label: 'Date of Birth', section: 'personal', class: 'basic', required: true, max: 10 },
  placeOfBirth: {
    label: 'Place of Birth',
    section: 'personal',
    class: 'sensitive',
    required: true,
    max: 200,
  },
  sex: { label: 'Sex', section: 'personal', class: 'basic', required: true, max: 10 },
  civilStatus: { label: 'Civil Status', section: 'personal', class: 'sensitive', required: true, max: 20 },
  contactNumber: { label: 'Contact Number', section: 'personal', class: 'contact', required: true, max: 40 },
  email: { label: 'Email', section: 'personal', class: 'contact', required: true, max: 254 },
  citizenship: { label: 'Citizenship', section: 'personal', class: 'sensitive', required: true, max: 60 },
  religion: { label: 'Religion', section: 'personal', class: 'sensitive', max: 100 },
  height: { label: 'Height', section: 'personal', class: 'sensitive', max: 30 },
  weight: { label: 'Weight', section: 'personal', class: 'sensitive', max: 30 },
  bloodType: { label: 'Blood Type', section: 'personal', class: 'sensitive', max: 3 },

  studentId: { label: 'Student ID', section: 'education', class: 'roll', max: 40 },
  course: { label: 'Course', section: 'education', class: 'roll', required: true, max: 60 },
  program: { label: 'Degree Program', section: 'education', class: 'basic', max: 120 },
  yearLevel: { label: 'Year Level', section: 'education', class: 'basic', required: true, max: 20 },
  academicYear: { label: 'Academic Year', section: 'education', class: 'basic', required: true, max: 20 },
  serialNumber: { label: 'Serial Number', section: 'education', class: 'basic', max: 40 },

  fatherName: { label: "Father's Name", section: 'family', class: 'family', max: 200 },
  fatherOccupation: { label: "Father's Occupation", section: 'family', class: 'family', max: 100 },
  motherName: { label: "Mother's Name", section: 'family', class: 'family', max: 200 },
  motherOccupation: { label: "Mother's Occupation", section: 'family', class: 'family', max: 100 },
  guardianName: { label: "Guardian's Name", section: 'family', class: 'family', max: 200 },
  guardianRelationship: { label: 'Relationship to Guardian', section: 'family', class: 'family', max: 60 },
  guardianAddress: { label: "Guardian's Address", section: 'family', class: 'family', max: 300 },
  guardianContactNumber: { label: "Guardian's Contact Number", section: 'family', class: 'family', max: 40 },

  elementarySchool: { label: 'Elementary School', section: 'background', class: 'sensitive', max: 200 },
  elementaryYearGraduated: {
    label: 'Year Graduated (Elementary)',
    section: 'background',
    class: 'sensitive',
    max: 20,
  },
  highSchool: { label: 'High School', section: 'background', class: 'sensitive', max: 200 },
  highSchoolYearGraduated: {
    label: 'Year Graduated (High School)',
    section: 'background',
    class: 'sensitive',
    max: 20,
  },
  college: { label: 'College', section: 'background', class: 'sensitive', max: 200 },
  collegeYearGraduated: {
    label: 'Year Graduated (College)',
    section: 'background',
    class: 'sensitive',
    max: 20,
  },

  workExperience: {
    label: 'Work Experience',
    section: 'work',
    class: 'sensitive',
    max: 2000,
    multiline: true,
  },
  skills: { label: 'Skills', section: 'skills', class: 'sensitive', max: 1000, multiline: true },
  hobbies: { label: 'Hobbies', section: 'skills', class: 'sensitive', max: 1000, multiline: true },

  emergencyContactName: {
    label: 'Emergency Contact Name',
    section: 'emergency',
    class: 'contact',
    required: true,
    max: 200,
  },
  emergencyContactNumber: {
    label: 'Emergency Contact Number',
    section: 'emergency',
    class: 'contact',
    required: true,
    max: 40,
  },
  emergencyContactAddress: {
    label: 'Emergency Contact Address',
    section: 'emergency',
    class: 'contact',
    max: 300,
  },

  nstpComponent: { label: 'NSTP Component', section: 'coverage', class: 'basic', required: true, max: 10 },
} as const satisfies Record<string, FieldDefinition>

export type StudentField = keyof typeof studentFields

export const studentFieldNames = Object.keys(studentFields) as StudentField[] // keys of a literal object

/** @param names in the order of their errors */
export function everyField<T>(of: (field: StudentField) => T, names = studentFieldNames) {
  // Typed by hand because fromEntries loses the key type.
  return Object.fromEntries(names.map((field) => [field, of(field)])) as Record<StudentField, T>
}

// Product 27.4.
export const fieldAliases: Readonly<Record<string, StudentField>> = {
  birthdate: 'dateOfBirth',
  gender: 'sex',
}

export function fieldDefinition(field: StudentField): FieldDefinition {
  return studentFields[field]
}

// The members that a record has besides its fields. Members of an enrolment, such as the mark, aren't the record's.
const otherMembers = {
  id: 'basic',
  version: 'basic',
  reference: 'basic',
  status: 'basic',
  registrationDate: 'basic',
  archived: 'basic',
  archivedDate: 'basic',
  restriction: 'basic',
  isDuplicate: 'basic',
  consentVersion: 'sensitive',
  consentedAt: 'sensitive',
  guardianConsentedAt: 'sensitive',
  network: 'sensitive',
} as const satisfies Record<string, FieldClass>

export type RecordMember = StudentField | keyof typeof otherMembers

function isListed(member: string): member is keyof typeof otherMembers {
  return Object.hasOwn(otherMembers, member)
}

/** @returns null of a member that isn't listed: only who sees all classes sees it */
export function classOf(member: string): FieldClass | null {
  const field = studentFieldNames.find((name) => name === member)
  if (field) return fieldDefinition(field).class
  return isListed(member) ? otherMembers[member] : null
}

/** Decision 042. */
export const requiredOfMinors = ['guardianName', 'guardianRelationship', 'guardianContactNumber'] as const

/** Whether the registration requires the field. */
export function isRequired(field: StudentField, isMinor: boolean): boolean {
  return fieldDefinition(field).required ?? (isMinor && requiredOfMinors.some((name) => name === field))
}

/** 'dateOfBirth' → 'date of birth' */
export function fieldWords(field: string): string {
  return field.replace(/([A-Z])/g, ' $1').toLowerCase()
}
