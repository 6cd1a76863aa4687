//! Attributes of mounts.

use super::raw::check;
use std::{
    ffi::c_int,
    io,
    mem::size_of,
    os::fd::{AsRawFd, BorrowedFd},
};

/// Whether device files on a mount can be opened.
#[derive(Clone, Copy)]
pub(crate) enum DeviceFiles {
    Allowed,
    Forbidden,
}

/// Makes a mount and everything below it read-only and without set-user-id.
pub(crate) fn make_read_only(mount: BorrowedFd, devices: DeviceFiles) -> io::Result<()> {
    let nodev = match devices {
        DeviceFiles::Allowed => 0,
        DeviceFiles::Forbidden => libc::MOUNT_ATTR_NODEV,
    };
    set_attributes(mount, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | nodev, libc::AT_RECURSIVE)
}

/// Makes a mount read-only, but not the mounts below it.
pub(crate) fn make_top_read_only(mount: BorrowedFd) -> io::Result<()> {
    set_attributes(mount, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV, 0)
}

fn set_attributes(mount: BorrowedFd, attributes: u64, flags: c_int) -> io::Result<()> {
    let attr =
        libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: libc::MS_PRIVATE, userns_fd: 0 };
    let flags = flags | libc::AT_EMPTY_PATH;
    // SAFETY: the structure is valid for reading and its size is passed along.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attr,
            size_of::<libc::mount_attr>(),
        )
    };
    check(done).map(drop)
}
