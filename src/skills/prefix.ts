/** Begins the keys of skills folders in the lock; the folder's path follows. */
export const SKILLS_PREFIX = 'skills:';
