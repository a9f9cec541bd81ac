export const adminEmail = 'coordinator@school.example'
export const adminPassword = 'a long enough pass phrase'
