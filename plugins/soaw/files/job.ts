/** The job that stores the files of a document after the last signature. */
export const RENDER = 'soaw.render';
