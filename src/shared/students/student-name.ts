export interface NamedStudent {
  lastName: string
  firstName: string
  middleName: string
  extensionName: string
}

/** 'Dela Cruz, Juan Pablo Jr.' */
export function studentName({ lastName, firstName, middleName, extensionName }: NamedStudent): string {
  return `${lastName}, ${[firstName, middleName, extensionName].filter(Boolean).join(' ')}`
}
