import { FourEyesSetting, Type, type Static } from '@lintel/sdk';

const Line = (description: string) =>
  Type.String({ maxLength: 200, pattern: '^[^\\p{Cc}]*$', default: '', description });

export const Settings = Type.Object({
  four_eyes: FourEyesSetting(),
  header: Line('Text in the header of each page.'),
  footer: Line('Text in the footer of each page.'),
  show_logo: Type.Boolean({ default: true, description: 'Whether documents show the logo of the workspace.' }),
});
export type Settings = Static<typeof Settings>;
