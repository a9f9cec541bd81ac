import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { type ImportField, importFieldLabel, importFields } from '#shared/imports/imports.ts'

const otherNames: Partial<Record<ImportField, readonly string[]>> = {
  lastName: ['surname', 'family name', 'lastname', 'last', 'lname', 'apelyido', 'student last name'],
  firstName: ['given name', 'given names', 'firstname', 'first', 'fname', 'pangalan', 'student first name'],
  middleName: ['middlename', 'middle', 'mname', 'middle initial', 'mi', 'm i', 'maiden name'],
  address: [
    'home address',
    'complete address',
    'permanent address',
    'present address',
    'current address',
    'residential address',
    'full address',
    'street address',
    'street',
    'residence',
    'student address',
    'tirahan',
  ],
  municipalCity: [
    'municipality',
    'city',
    'town',
    'city municipality',
    'municipality city',
    'town city',
    'city town',
    'municipal city',
    'municipality or city',
  ],
  zipCode: ['zip', 'zipcode', 'postal code', 'post code', 'postcode'],
  socialSecurityNumber: ['sss', 'sss number', 'social security', 'ssn'],
  dateOfBirth: [
    'birthdate',
    'birth date',
    'birthday',
    'date birth',
    'dob',
    'd o b',
    'bday',
    'birth day',
    'kaarawan',
  ],
  placeOfBirth: ['birthplace', 'birth place', 'place birth', 'pob', 'born in'],
  sex: ['gender', 'sex gender', 'gender sex', 'sex at birth', 'm f', 'kasarian'],
  civilStatus: ['marital status', 'status civil', 'civil stat'],
  contactNumber: [
    'mobile number',
    'mobile',
    'cellphone number',
    'cellphone',
    'cell number',
    'cell',
    'cp number',
    'cp',
    'phone number',
    'phone',
    'telephone',
    'telephone number',
    'tel number',
    'contact',
    'contacts',
    'contact details',
    'mobile phone',
    'mobile phone number',
    'cellular number',
    'contact number mobile',
    'student contact number',
  ],
  email: [
    'e mail',
    'email address',
    'e mail address',
    'emailaddress',
    'mail',
    'email add',
    'gmail',
    'student email',
  ],
  citizenship: ['nationality', 'citizen'],
  religion: ['religious affiliation', 'faith'],
  height: ['ht', 'height cm', 'height m', 'height ft', 'height in cm'],
  weight: ['wt', 'weight kg', 'weight kgs', 'weight lbs', 'weight in kg'],
  bloodType: ['blood', 'blood group', 'bloodtype'],
  studentId: [
    'student number',
    'student id number',
    'studentid',
    'id number',
    'school id',
    'id',
    'learner id',
    'sr code',
    'student code',
    'stud number',
    'stud id',
    'usn',
  ],
  course: [
    'program',
    'school department',
    'department',
    'college department',
    'degree',
    'degree program',
    'school',
    'course program',
    'program course',
    'department course',
    'dept',
    'kurso',
    'college course',
  ],
  yearLevel: ['year', 'level', 'yr', 'yr level', 'year lvl', 'grade level', 'curriculum year', 'yearlevel'],
  academicYear: ['school year', 'sy', 's y', 'ay', 'a y', 'acad year', 'academic yr', 'schoolyear'],
  serialNumber: ['serial', 'nstp serial number', 'nstp serial', 'nstp number', 'serial code'],
  fatherName: ['father', 'name father', 'fathers full name', 'fathers name', 'father full name'],
  fatherOccupation: ['fathers occupation', 'occupation father', 'fathers work'],
  motherName: [
    'mother',
    'name mother',
    'mothers maiden name',
    'mothers full name',
    'mothers name',
    'mother full name',
  ],
  motherOccupation: ['mothers occupation', 'occupation mother', 'mothers work'],
  guardianName: ['guardian', 'name guardian', 'guardians name', 'parent guardian', 'parent guardian name'],
  guardianRelationship: [
    'guardian relationship',
    'relationship with guardian',
    'relation to guardian',
    'guardians relationship',
  ],
  guardianAddress: ['guardians address', 'address guardian', 'parent guardian address'],
  guardianContactNumber: [
    'guardian number',
    'guardian contact',
    'guardian mobile',
    'guardian mobile number',
    'guardians number',
    'contact number guardian',
    'parent guardian contact number',
    'guardians contact',
  ],
  elementarySchool: ['elementary', 'primary school', 'grade school', 'name elementary school'],
  elementaryYearGraduated: ['elementary year', 'year graduated elementary school', 'elementary graduated'],
  highSchool: [
    'secondary school',
    'secondary',
    'senior high school',
    'shs',
    'name high school',
    'last school attended',
  ],
  highSchoolYearGraduated: ['high school year', 'high school graduated', 'year graduated secondary'],
  college: ['university', 'college university', 'tertiary', 'tertiary school'],
  collegeYearGraduated: ['college year', 'college graduated', 'year graduated tertiary'],
  workExperience: ['work', 'experience', 'employment', 'job experience'],
  skills: ['special skills', 'talents', 'skills talents'],
  hobbies: ['hobby', 'interests', 'interest'],
  emergencyContactName: [
    'emergency contact',
    'emergency contact person',
    'contact person',
    'in case emergency',
    'person to contact',
    'contact person in case emergency',
    'person to contact in case emergency',
    'emergency name',
    'emergency person',
    'in case emergency contact',
    'in case emergency notify',
    'name emergency contact',
    'emergency contact full name',
  ],
  emergencyContactNumber: [
    'emergency number',
    'emergency phone',
    'emergency mobile',
    'contact person number',
    'emergency contact phone',
    'emergency mobile number',
    'emergency contact mobile',
    'emergency phone number',
    'contact number emergency',
    'contact number in case emergency',
    'contact person contact number',
    'emergency cellphone number',
    'number emergency contact',
    'emergency contact mobile number',
  ],
  emergencyContactAddress: ['emergency address', 'contact person address', 'address emergency contact'],
  nstpComponent: [
    'component',
    'nstp',
    'nstp program',
    'nstp course',
    'rotc cwts',
    'rotc cwts lts',
    'nstp class',
  ],
  registrationDate: [
    'date registered',
    'registered',
    'date registration',
    'timestamp',
    'enlistment date',
    'date enlisted',
    'date enrolled',
    'enrollment date',
    'enrolment date',
    'registered on',
    'date submitted',
    'registered at',
  ],
  reference: ['reference', 'reference number', 'reference code', 'nstp reference', 'nstp reference code'],
  archivedDate: ['date archived', 'archived on', 'archived at'],
}

const fieldsByName = new Map<string, ImportField>()
for (const field of importFields) {
  for (const name of [importFieldLabel(field), field, ...(otherNames[field] ?? [])]) {
    const words = wordsOf(name)
    if (!fieldsByName.has(words)) fieldsByName.set(words, field)
  }
}

export function guessField(header: string): ImportField | null {
  const words = wordsOf(header)
  const withoutNote = wordsOf(header.replace(/\([^)]*\)|\*/g, ' '))
  return fieldsByName.get(words) ?? fieldsByName.get(withoutNote) ?? null
}

export function guessColumns(headers: readonly string[]): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  return headers.map((header) => {
    const field = guessField(header)
    if (field === null || taken.has(field)) return null
    taken.add(field)
    return field
  })
}

function wordsOf(header: string): string {
  return header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/#/g, ' number ')
    .replace(/[^a-z\d]+/g, ' ')
    .replace(/\b(no|num|nos|numbers)\b/g, 'number')
    .replace(/\b(of|the|your|students)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export const headerSearchRows = 15
const minRecognized = 2

export function findHeader(rows: readonly TableRow[]): number {
  const recognized = rows.map(({ cells }) => cells.filter((cell) => guessField(cell) !== null).length)
  const most = Math.max(0, ...recognized)
  return most >= minRecognized ? recognized.indexOf(most) : 0
}

export function headersOf(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index]?.replace(/\s+/g, ' ').trim() ?? '')
}
