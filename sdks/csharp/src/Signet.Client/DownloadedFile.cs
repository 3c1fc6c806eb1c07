namespace Signet.Client;

/// <summary>A file on the disk, with the bytes that the server has signed.</summary>
public sealed class DownloadedFile
{
    internal DownloadedFile(string path, string fileName, long size, string sha256)
    {
        Path = path;
        FileName = fileName;
        Size = size;
        Sha256 = sha256;
    }

    /// <summary>The full path of the file.</summary>
    public string Path { get; }

    /// <summary>The name under which the seller uploaded it. Untrusted text: don't use it as a path.</summary>
    public string FileName { get; }

    /// <summary>The size in bytes.</summary>
    public long Size { get; }

    /// <summary>The SHA-256 in hexadecimal.</summary>
    public string Sha256 { get; }
}
