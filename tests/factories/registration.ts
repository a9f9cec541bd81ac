import type { RegistrationBody } from '#shared/registration/registration.ts'
import type { StudentField } from '#shared/students/student-fields.ts'

type FullBody = Record<StudentField, string> & { consent: true }

/**
 * A valid body of POST /api/registrations, every field filled in; course and academic year are among those of the
 * default settings.
 */
export function buildRegistration<Overrides extends RegistrationBody>(
  overrides?: Overrides,
): FullBody & Overrides {
  const body: FullBody = {
    lastName: 'Dela Cruz',
    firstName: 'Juan Miguel',
    middleName: 'Peña',
    extensionName: '',
    program: '',
    address: 'Blk 4 Lot 12, Sampaguita St., Brgy. San Isidro',
    barangay: 'San Isidro',
    municipalCity: 'Dasmariñas, Cavite',
    province: 'Cavite',
    zipCode: '4114',
    socialSecurityNumber: '34-1234567-8',
    dateOfBirth: '2007-05-14',
    placeOfBirth: 'Imus, Cavite',
    sex: 'Male',
    civilStatus: 'Single',
    contactNumber: '0917 123 4567',
    email: 'juan.delacruz@student.example',
    citizenship: 'Filipino',
    religion: 'Roman Catholic',
    height: '5\'6"',
    weight: '130 lbs',
    bloodType: 'O+',
    studentId: '2026-00123',
    course: 'SOICT',
    yearLevel: '1st Year',
    academicYear: '2026-2027',
    serialNumber: '',
    fatherName: 'Ramon Dela Cruz',
    fatherOccupation: 'Driver',
    motherName: 'Maria Peña Dela Cruz',
    motherOccupation: 'Teacher',
    guardianName: 'Lorna Peña',
    guardianRelationship: 'Aunt',
    guardianAddress: 'Brgy. Salitran, Dasmariñas, Cavite',
    guardianContactNumber: '(046) 416-1234',
    elementarySchool: 'San Isidro Elementary School',
    elementaryYearGraduated: '2019',
    highSchool: 'Dasmariñas National High School',
    highSchoolYearGraduated: '2025',
    college: '',
    collegeYearGraduated: '',
    workExperience: 'Service crew, summer 2025\nTutor, weekends',
    skills: 'First aid, swimming',
    hobbies: 'Basketball',
    emergencyContactName: 'Maria Peña Dela Cruz',
    emergencyContactNumber: '+63 918 765 4321',
    emergencyContactAddress: 'Same as my address',
    nstpComponent: 'CWTS',
    consent: true,
  }
  // The type of a spread of a generic isn't known to be the intersection, although it is.
  return { ...body, ...overrides } as FullBody & Overrides
}
