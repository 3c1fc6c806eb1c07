using System;
using System.Windows.Forms;

namespace Signet.Client.Examples;

internal static class Program
{
    [STAThread]
    private static void Main(string[] args)
    {
        Application.EnableVisualStyles();
        Application.SetCompatibleTextRenderingDefault(false);
        Application.Run(new LoginForm(Settings.Read(args)));
    }
}
