/** The texts of mails about accounts. Words in braces are placeholders; every language has the same in each text. */
export const en = {
  greeting: 'Hello {name},',
  greeting_unnamed: 'Hello,',
  link_hint: 'If the button does not work, open this address:',
  footer: '{workspace} sends this mail automatically. Replies are not read.',

  invitation_subject: '{inviter} invites you to {workspace}',
  invitation_body:
    '{inviter} invites you to {workspace}. Choose a password to open your account with the address {email}.',
  invitation_action: 'Accept the invitation',
  invitation_expiry: 'The link works once, until {until}.',
  invitation_ignore: 'If you do not expect an invitation, ignore this mail.',

  reset_subject: 'Choose a new password for {workspace}',
  reset_body: 'A new password was requested for the account {email} in {workspace}.',
  reset_action: 'Choose a new password',
  reset_expiry: 'The link works once, until {until}. The new password ends all sessions of the account.',
  reset_ignore: 'If you did not request this, ignore this mail: your password stays as it is.',

  change_old_subject: 'Confirm the change of your e-mail address in {workspace}',
  change_old_body:
    'The e-mail address of your account in {workspace} is to be changed from {old} to {new}. The change is made when both addresses have confirmed it.',
  change_old_warning: 'If you did not request this, withdraw the change, and choose a new password.',

  change_new_subject: 'Confirm your e-mail address for {workspace}',
  change_new_body:
    'An account in {workspace} is to use this e-mail address. The change is made when the previous address and this one have confirmed it.',
  change_new_warning: 'If you did not request this, withdraw the change or ignore this mail.',

  change_action: 'Confirm the change',
  change_withdraw: 'Withdraw the change',
  change_expiry: 'The links work once, until {until}.',

  sign_in_subject: 'New sign-in to {workspace}',
  sign_in_body:
    'The account {email} in {workspace} was signed in to from a device or a place that was not used in the last {days} days.',
  sign_in_time: 'Time: {time}',
  sign_in_device: 'Browser or program: {device}',
  sign_in_address: 'Address: {address}',
  sign_in_ignore: 'If this was you, there is nothing to do.',
  sign_in_warning: 'If it was not you, choose a new password: this ends all other sessions.',
};
